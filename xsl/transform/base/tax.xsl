<?xml version="1.0" encoding="UTF-8"?>
<!-- VAT categories, the VAT breakdown, allowances and charges. -->
<xsl:stylesheet version="3.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:p="urn:passerelle:transform"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
    exclude-result-prefixes="xs p"
    expand-text="yes">

  <!-- Why no VAT is charged, code (VATEX) and text: the report's own, else by category. E has those of the importing stylesheet. -->
  <xsl:variable name="exemptions" as="map(xs:string, xs:string*)" select="map {
      'AE': ('VATEX-EU-AE', 'Autoliquidation'),
      'K':  ('VATEX-EU-IC', 'Livraison intracommunautaire exonérée, article 262 ter I du CGI'),
      'G':  ('VATEX-EU-G', 'Exportation hors de l''Union européenne, article 262 I du CGI'),
      'O':  ('VATEX-EU-O', 'Opération hors du champ de la TVA'),
      'E':  ($exempt-code, $exempt-reason)
    }"/>

  <xsl:template name="p:tax-total">
    <xsl:param name="invoice" as="map(*)"/>
    <xsl:variable name="currency" select="$invoice?currency"/>
    <cac:TaxTotal>
      <cbc:TaxAmount currencyID="{$currency}">{p:money($invoice?tax)}</cbc:TaxAmount>
      <xsl:for-each select="$invoice?taxes">
        <cac:TaxSubtotal>
          <cbc:TaxableAmount currencyID="{$currency}">{p:money(?base)}</cbc:TaxableAmount>
          <cbc:TaxAmount currencyID="{$currency}">{p:money(?amount)}</cbc:TaxAmount>
          <cac:TaxCategory>
            <xsl:call-template name="p:category">
              <xsl:with-param name="of" select="."/>
              <xsl:with-param name="reasoned" select="true()"/>
            </xsl:call-template>
          </cac:TaxCategory>
        </cac:TaxSubtotal>
      </xsl:for-each>
    </cac:TaxTotal>
    <xsl:if test="exists($invoice?vat)">
      <cac:TaxTotal>
        <cbc:TaxAmount currencyID="{$invoice?vat-currency}">{p:money($invoice?vat)}</cbc:TaxAmount>
      </cac:TaxTotal>
    </xsl:if>
  </xsl:template>

  <!-- The content of a tax category; outside the scope of VAT (O) there is no rate. -->
  <xsl:template name="p:category">
    <xsl:param name="of" as="map(*)"/>
    <xsl:param name="reasoned" as="xs:boolean"/>
    <xsl:variable name="code" select="($of?code[$reasoned], $exemptions($of?category)[1])[. != ''][1]"/>
    <xsl:variable name="reason" select="($of?reason[$reasoned], $exemptions($of?category)[2])[. != ''][1]"/>
    <cbc:ID>{$of?category}</cbc:ID>
    <xsl:if test="$of?category != 'O' and exists($of?rate)">
      <cbc:Percent>{$of?rate}</cbc:Percent>
    </xsl:if>
    <xsl:if test="$reasoned and exists($code)">
      <cbc:TaxExemptionReasonCode>{$code}</cbc:TaxExemptionReasonCode>
    </xsl:if>
    <xsl:if test="$reasoned and exists($reason)">
      <cbc:TaxExemptionReason>{$reason}</cbc:TaxExemptionReason>
    </xsl:if>
    <cac:TaxScheme>
      <cbc:ID>VAT</cbc:ID>
    </cac:TaxScheme>
  </xsl:template>

  <!-- An allowance, or, below zero, a charge of the opposite amount. -->
  <xsl:template name="p:extra-element">
    <xsl:param name="extra" as="map(*)"/>
    <xsl:param name="currency" as="xs:string"/>
    <xsl:variable name="charge" select="$extra?amount lt 0"/>
    <xsl:if test="$extra?amount != 0">
      <cac:AllowanceCharge>
        <cbc:ChargeIndicator>{$charge}</cbc:ChargeIndicator>
        <xsl:if test="$extra?code != ''">
          <cbc:AllowanceChargeReasonCode>{$extra?code}</cbc:AllowanceChargeReasonCode>
        </xsl:if>
        <cbc:AllowanceChargeReason>{($extra?reason, if ($charge) then $charge-reason else $allowance-reason)[. != ''][1]}</cbc:AllowanceChargeReason>
        <cbc:Amount currencyID="{$currency}">{p:money(abs($extra?amount))}</cbc:Amount>
        <cac:TaxCategory>
          <xsl:call-template name="p:category">
            <xsl:with-param name="of" select="$extra"/>
            <xsl:with-param name="reasoned" select="false()"/>
          </xsl:call-template>
        </cac:TaxCategory>
      </cac:AllowanceCharge>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
