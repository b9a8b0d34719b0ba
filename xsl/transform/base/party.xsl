<?xml version="1.0" encoding="UTF-8"?>
<!-- A seller or buyer. -->
<xsl:stylesheet version="3.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:p="urn:passerelle:transform"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
    exclude-result-prefixes="xs p"
    expand-text="yes">

  <!-- A SIREN has nine digits and is the electronic address too (0225); any other number is a foreign registration. -->
  <xsl:template name="p:party-element">
    <xsl:param name="party" as="map(*)"/>
    <xsl:variable name="french" select="matches($party?siren, '^[0-9]{9}$')"/>
    <cac:Party>
      <xsl:if test="$french">
        <cbc:EndpointID schemeID="0225">{$party?siren}</cbc:EndpointID>
      </xsl:if>
      <xsl:if test="$party?siret != ''">
        <cac:PartyIdentification>
          <cbc:ID schemeID="0009">{$party?siret}</cbc:ID>
        </cac:PartyIdentification>
      </xsl:if>
      <cac:PostalAddress>
        <xsl:if test="$party?street != ''">
          <cbc:StreetName>{$party?street}</cbc:StreetName>
        </xsl:if>
        <xsl:if test="$party?city != ''">
          <cbc:CityName>{$party?city}</cbc:CityName>
        </xsl:if>
        <xsl:if test="$party?zip != ''">
          <cbc:PostalZone>{$party?zip}</cbc:PostalZone>
        </xsl:if>
        <cac:Country>
          <cbc:IdentificationCode>{$party?country}</cbc:IdentificationCode>
        </cac:Country>
      </cac:PostalAddress>
      <xsl:if test="$party?vat != ''">
        <cac:PartyTaxScheme>
          <cbc:CompanyID>{$party?vat}</cbc:CompanyID>
          <cac:TaxScheme>
            <cbc:ID>VAT</cbc:ID>
          </cac:TaxScheme>
        </cac:PartyTaxScheme>
      </xsl:if>
      <cac:PartyLegalEntity>
        <cbc:RegistrationName>{$party?name}</cbc:RegistrationName>
        <xsl:if test="$party?siren != ''">
          <cbc:CompanyID>
            <xsl:if test="$french">
              <xsl:attribute name="schemeID" select="'0002'"/>
            </xsl:if>
            <xsl:text>{$party?siren}</xsl:text>
          </cbc:CompanyID>
        </xsl:if>
      </cac:PartyLegalEntity>
    </cac:Party>
  </xsl:template>
</xsl:stylesheet>
