<?xml version="1.0" encoding="UTF-8"?>
<!-- A line of an invoice or credit note. -->
<xsl:stylesheet version="3.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:p="urn:passerelle:transform"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
    exclude-result-prefixes="xs p"
    expand-text="yes">

  <xsl:template name="p:line-element">
    <xsl:param name="line" as="map(*)"/>
    <xsl:param name="invoice" as="map(*)"/>
    <xsl:variable name="currency" select="$invoice?currency"/>
    <xsl:element name="cac:{if ($invoice?credit) then 'CreditNoteLine' else 'InvoiceLine'}">
      <cbc:ID>{$line?id}</cbc:ID>
      <xsl:element name="cbc:{if ($invoice?credit) then 'CreditedQuantity' else 'InvoicedQuantity'}">
        <xsl:attribute name="unitCode" select="$line?unit"/>
        <xsl:text>{$line?quantity}</xsl:text>
      </xsl:element>
      <cbc:LineExtensionAmount currencyID="{$currency}">{p:money($line?net)}</cbc:LineExtensionAmount>
      <xsl:if test="$line?discount != 0">
        <xsl:call-template name="p:line-extra">
          <xsl:with-param name="discount" select="$line?discount"/>
          <xsl:with-param name="currency" select="$currency"/>
        </xsl:call-template>
      </xsl:if>
      <cac:Item>
        <xsl:if test="$line?description != ''">
          <cbc:Description>{$line?description}</cbc:Description>
        </xsl:if>
        <cbc:Name>{$line?name}</cbc:Name>
        <xsl:if test="$line?item != ''">
          <cac:SellersItemIdentification>
            <cbc:ID>{$line?item}</cbc:ID>
          </cac:SellersItemIdentification>
        </xsl:if>
        <cac:ClassifiedTaxCategory>
          <xsl:call-template name="p:category">
            <xsl:with-param name="of" select="$line"/>
            <xsl:with-param name="reasoned" select="false()"/>
          </xsl:call-template>
        </cac:ClassifiedTaxCategory>
      </cac:Item>
      <cac:Price>
        <cbc:PriceAmount currencyID="{$currency}">{$line?price}</cbc:PriceAmount>
      </cac:Price>
    </xsl:element>
  </xsl:template>

  <!-- A discount, or, below zero, a charge of the opposite amount. -->
  <xsl:template name="p:line-extra">
    <xsl:param name="discount" as="xs:decimal"/>
    <xsl:param name="currency" as="xs:string"/>
    <xsl:variable name="charge" select="$discount lt 0"/>
    <cac:AllowanceCharge>
      <cbc:ChargeIndicator>{$charge}</cbc:ChargeIndicator>
      <cbc:AllowanceChargeReason>{if ($charge) then $line-charge-reason else $line-allowance-reason}</cbc:AllowanceChargeReason>
      <cbc:Amount currencyID="{$currency}">{p:money(abs($discount))}</cbc:Amount>
    </cac:AllowanceCharge>
  </xsl:template>
</xsl:stylesheet>
