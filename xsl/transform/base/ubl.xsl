<?xml version="1.0" encoding="UTF-8"?>
<!-- Writes an invoice, read into maps by the importing stylesheet, as UBL 2.1. Knows no report. -->
<xsl:stylesheet version="3.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:p="urn:passerelle:transform"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
    exclude-result-prefixes="xs p"
    expand-text="yes">

  <xsl:import href="party.xsl"/>
  <xsl:import href="tax.xsl"/>
  <xsl:import href="line.xsl"/>

  <!-- BT-3 of the two kinds of message. -->
  <xsl:variable name="invoice-codes" as="xs:string*" select="tokenize('380 384 386 389 393 471 472 473 500 501')"/>
  <xsl:variable name="credit-codes" as="xs:string*" select="tokenize('261 262 381 396 502 503')"/>

  <!-- The instruction in front names the invoice to the gateway. -->
  <xsl:template name="p:document">
    <xsl:param name="invoice" as="map(*)"/>
    <xsl:variable name="root" select="if ($invoice?credit) then 'CreditNote' else 'Invoice'"/>
    <xsl:processing-instruction name="passerelle-key">doc="{p:quoted($invoice?doc)}" dct="{p:quoted($invoice?dct)}" kco="{p:quoted($invoice?kco)}"</xsl:processing-instruction>
    <xsl:element name="{$root}" namespace="urn:oasis:names:specification:ubl:schema:xsd:{$root}-2">
      <xsl:namespace name="cac" select="'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2'"/>
      <xsl:namespace name="cbc" select="'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'"/>
      <xsl:call-template name="p:head">
        <xsl:with-param name="invoice" select="$invoice"/>
        <xsl:with-param name="root" select="$root"/>
      </xsl:call-template>
      <cac:AccountingSupplierParty>
        <xsl:call-template name="p:party-element">
          <xsl:with-param name="party" select="$invoice?seller"/>
        </xsl:call-template>
      </cac:AccountingSupplierParty>
      <cac:AccountingCustomerParty>
        <xsl:call-template name="p:party-element">
          <xsl:with-param name="party" select="$invoice?buyer"/>
        </xsl:call-template>
      </cac:AccountingCustomerParty>
      <xsl:call-template name="p:payee">
        <xsl:with-param name="payee" select="$invoice?payee"/>
      </xsl:call-template>
      <xsl:call-template name="p:delivery">
        <xsl:with-param name="invoice" select="$invoice"/>
      </xsl:call-template>
      <xsl:call-template name="p:payment">
        <xsl:with-param name="invoice" select="$invoice"/>
      </xsl:call-template>
      <xsl:for-each select="$invoice?extras">
        <xsl:call-template name="p:extra-element">
          <xsl:with-param name="extra" select="."/>
          <xsl:with-param name="currency" select="$invoice?currency"/>
        </xsl:call-template>
      </xsl:for-each>
      <xsl:call-template name="p:tax-total">
        <xsl:with-param name="invoice" select="$invoice"/>
      </xsl:call-template>
      <xsl:call-template name="p:monetary-total">
        <xsl:with-param name="invoice" select="$invoice"/>
      </xsl:call-template>
      <xsl:for-each select="$invoice?lines">
        <xsl:call-template name="p:line-element">
          <xsl:with-param name="line" select="."/>
          <xsl:with-param name="invoice" select="$invoice"/>
        </xsl:call-template>
      </xsl:for-each>
    </xsl:element>
  </xsl:template>

  <xsl:template name="p:head">
    <xsl:param name="invoice" as="map(*)"/>
    <xsl:param name="root" as="xs:string"/>
    <cbc:CustomizationID>{$customization}</cbc:CustomizationID>
    <cbc:ProfileID>{$invoice?process}</cbc:ProfileID>
    <cbc:ID>{$invoice?dct}-{$invoice?doc}</cbc:ID>
    <cbc:IssueDate>{$invoice?issued}</cbc:IssueDate>
    <xsl:if test="not($invoice?credit) and exists($invoice?due)">
      <cbc:DueDate>{$invoice?due}</cbc:DueDate>
    </xsl:if>
    <xsl:element name="cbc:{$root}TypeCode">{$invoice?code}</xsl:element>
    <xsl:for-each select="
        map { 'BAR': $invoice?treatment }, map { 'PMT': $note-PMT }, map { 'PMD': $note-PMD }, map { 'AAB': $note-AAB }">
      <xsl:variable name="subject" select="map:keys(.)" xmlns:map="http://www.w3.org/2005/xpath-functions/map"/>
      <xsl:if test=".($subject) != ''">
        <cbc:Note>#{$subject}#{.($subject)}</cbc:Note>
      </xsl:if>
    </xsl:for-each>
    <cbc:DocumentCurrencyCode>{$invoice?currency}</cbc:DocumentCurrencyCode>
    <xsl:if test="exists($invoice?vat-currency)">
      <cbc:TaxCurrencyCode>{$invoice?vat-currency}</cbc:TaxCurrencyCode>
    </xsl:if>
    <!-- UBL does not allow our order without the customer's: NA stands for an unknown one. -->
    <xsl:if test="$invoice?order != '' or $invoice?sales-order != ''">
      <cac:OrderReference>
        <cbc:ID>{($invoice?order, 'NA')[. != ''][1]}</cbc:ID>
        <xsl:if test="$invoice?sales-order != ''">
          <cbc:SalesOrderID>{$invoice?sales-order}</cbc:SalesOrderID>
        </xsl:if>
      </cac:OrderReference>
    </xsl:if>
    <!-- Where the report does not say when the original was issued, the gateway looks it up. -->
    <xsl:if test="$invoice?original != ''">
      <cac:BillingReference>
        <cac:InvoiceDocumentReference>
          <cbc:ID>{$invoice?original}</cbc:ID>
          <cbc:IssueDate>
            <xsl:choose>
              <xsl:when test="exists($invoice?original-date)">{$invoice?original-date}</xsl:when>
              <xsl:otherwise>
                <xsl:processing-instruction name="passerelle-issue-date">of="{p:quoted($invoice?original)}"</xsl:processing-instruction>
              </xsl:otherwise>
            </xsl:choose>
          </cbc:IssueDate>
        </cac:InvoiceDocumentReference>
      </cac:BillingReference>
    </xsl:if>
  </xsl:template>

  <!-- When and where the goods were delivered, as far as it is known. -->
  <xsl:template name="p:delivery">
    <xsl:param name="invoice" as="map(*)"/>
    <xsl:variable name="place" select="$invoice?ship-to"/>
    <xsl:if test="exists(($invoice?delivered, $place))">
      <cac:Delivery>
        <xsl:if test="exists($invoice?delivered)">
          <cbc:ActualDeliveryDate>{$invoice?delivered}</cbc:ActualDeliveryDate>
        </xsl:if>
        <xsl:if test="exists($place)">
          <cac:DeliveryLocation>
            <xsl:if test="$place?siret != ''">
              <xsl:call-template name="p:establishment">
                <xsl:with-param name="place" select="$place"/>
              </xsl:call-template>
            </xsl:if>
            <cac:Address>
              <xsl:call-template name="p:postal-address">
                <xsl:with-param name="place" select="$place"/>
              </xsl:call-template>
            </cac:Address>
          </cac:DeliveryLocation>
          <xsl:if test="$place?name != ''">
            <cac:DeliveryParty>
              <cac:PartyName>
                <cbc:Name>{$place?name}</cbc:Name>
              </cac:PartyName>
            </cac:DeliveryParty>
          </xsl:if>
        </xsl:if>
      </cac:Delivery>
    </xsl:if>
  </xsl:template>

  <xsl:template name="p:payment">
    <xsl:param name="invoice" as="map(*)"/>
    <cac:PaymentMeans>
      <cbc:PaymentMeansCode>{$payment-code}</cbc:PaymentMeansCode>
      <xsl:if test="$invoice?credit and exists($invoice?due)">
        <cbc:PaymentDueDate>{$invoice?due}</cbc:PaymentDueDate>
      </xsl:if>
      <xsl:if test="$invoice?iban != ''">
        <cac:PayeeFinancialAccount>
          <cbc:ID>{$invoice?iban}</cbc:ID>
        </cac:PayeeFinancialAccount>
      </xsl:if>
    </cac:PaymentMeans>
  </xsl:template>

  <xsl:template name="p:monetary-total">
    <xsl:param name="invoice" as="map(*)"/>
    <xsl:variable name="currency" select="$invoice?currency"/>
    <xsl:variable name="extras" select="$invoice?extras?amount"/>
    <cac:LegalMonetaryTotal>
      <cbc:LineExtensionAmount currencyID="{$currency}">{p:money(sum($invoice?lines?net))}</cbc:LineExtensionAmount>
      <cbc:TaxExclusiveAmount currencyID="{$currency}">{p:money($invoice?net)}</cbc:TaxExclusiveAmount>
      <cbc:TaxInclusiveAmount currencyID="{$currency}">{p:money($invoice?gross)}</cbc:TaxInclusiveAmount>
      <xsl:if test="$extras[. gt 0]">
        <cbc:AllowanceTotalAmount currencyID="{$currency}">{p:money(sum($extras[. gt 0]))}</cbc:AllowanceTotalAmount>
      </xsl:if>
      <xsl:if test="$extras[. lt 0]">
        <cbc:ChargeTotalAmount currencyID="{$currency}">{p:money(-sum($extras[. lt 0]))}</cbc:ChargeTotalAmount>
      </xsl:if>
      <xsl:if test="$invoice?gross != $invoice?open">
        <cbc:PrepaidAmount currencyID="{$currency}">{p:money($invoice?gross - $invoice?open)}</cbc:PrepaidAmount>
      </xsl:if>
      <cbc:PayableAmount currencyID="{$currency}">{p:money($invoice?open)}</cbc:PayableAmount>
    </cac:LegalMonetaryTotal>
  </xsl:template>

  <!-- Two decimals, halves away from zero. Written digit by digit: format-number goes through a double, which has other cents beyond 2^53. -->
  <xsl:function name="p:money" as="xs:string">
    <xsl:param name="amount" as="xs:decimal"/>
    <xsl:variable name="cents" select="round(abs($amount) * 100)"/>
    <xsl:variable name="digits" select="string($cents) => replace('^(.)$', '00$1') => replace('^(..)$', '0$1')"/>
    <xsl:variable name="written" select="replace($digits, '(..)$', '.$1')"/>
    <xsl:sequence select="if ($amount lt 0 and $cents ne 0) then '-' || $written else $written"/>
  </xsl:function>

  <xsl:function name="p:quoted" as="xs:string">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="$text => replace('&amp;', '&amp;amp;') => replace('&quot;', '&amp;quot;') => replace('>', '&amp;gt;')"/>
  </xsl:function>
</xsl:stylesheet>
