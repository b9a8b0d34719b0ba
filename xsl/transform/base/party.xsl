<?xml version="1.0" encoding="UTF-8"?>
<!-- A seller, buyer, payee or place of delivery. -->
<xsl:stylesheet version="3.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:p="urn:passerelle:transform"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
    exclude-result-prefixes="xs p"
    expand-text="yes">

  <!-- Countries whose companies have a SIREN. -->
  <xsl:variable name="sirene" as="xs:string*" select="tokenize('FR GP MQ GF RE YT PM BL MF MC')"/>
  <xsl:variable name="union" as="xs:string*"
      select="tokenize('AT BE BG CY CZ DE DK EE EL ES FI GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI')"/>

  <!-- The address scheme of a VAT number, by the country in front of it. -->
  <xsl:variable name="vat-schemes" as="map(xs:string, xs:string)" select="map {
      'AT': '9914', 'BE': '9925', 'BG': '9926', 'CH': '9927', 'CY': '9928', 'CZ': '9929', 'DE': '9930', 'DK': '0198',
      'EE': '9931', 'EL': '9933', 'ES': '9920', 'FI': '0213', 'GB': '9932', 'HR': '9934', 'HU': '9910', 'IE': '9935',
      'IT': '0211', 'LI': '9936', 'LT': '9937', 'LU': '9938', 'LV': '9939', 'MT': '9943', 'NL': '9944', 'PL': '9945',
      'PT': '9946', 'RO': '9947', 'SI': '9949', 'SK': '9950', 'TR': '9952'
    }"/>

  <!-- Nine digits are a SIREN in France, and abroad with a French VAT number; elsewhere they are a number of that country. -->
  <xsl:function name="p:is-french" as="xs:boolean">
    <xsl:param name="party" as="map(*)"/>
    <xsl:sequence select="
        matches(p:dense($party?id), '^[0-9]{9}$') and ($party?country = $sirene or starts-with($party?vat, 'FR'))"/>
  </xsl:function>

  <xsl:template name="p:party-element">
    <xsl:param name="party" as="map(*)"/>
    <cac:Party>
      <xsl:call-template name="p:endpoint">
        <xsl:with-param name="party" select="$party"/>
      </xsl:call-template>
      <xsl:if test="$party?siret != ''">
        <cac:PartyIdentification>
          <xsl:call-template name="p:establishment">
            <xsl:with-param name="place" select="$party"/>
          </xsl:call-template>
        </cac:PartyIdentification>
      </xsl:if>
      <cac:PostalAddress>
        <xsl:call-template name="p:postal-address">
          <xsl:with-param name="place" select="$party"/>
        </xsl:call-template>
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
        <xsl:call-template name="p:legal-id">
          <xsl:with-param name="party" select="$party"/>
        </xsl:call-template>
      </cac:PartyLegalEntity>
    </cac:Party>
  </xsl:template>

  <!--
    The electronic address: the report's own, else SIREN, SIREN_SIRET_CODE or SIREN_SUFFIX in France, else the VAT number in the
    scheme of its country.
  -->
  <xsl:template name="p:endpoint">
    <xsl:param name="party" as="map(*)"/>
    <xsl:variable name="french" select="p:is-french($party)"/>
    <xsl:variable name="of-vat" select="$vat-schemes(substring($party?vat, 1, 2))"/>
    <xsl:choose>
      <xsl:when test="$party?address != ''">
        <xsl:variable name="assumed" select="
            if (contains($party?address, '@')) then 'EM' else if ($french) then '0225' else ''"/>
        <cbc:EndpointID>
          <xsl:for-each select="($party?scheme, $assumed)[. != ''][1]">
            <xsl:attribute name="schemeID" select="."/>
          </xsl:for-each>
          <xsl:text>{$party?address}</xsl:text>
        </cbc:EndpointID>
      </xsl:when>
      <xsl:when test="$french">
        <xsl:variable name="behind" select="
            if ($party?routing != '') then ($party?siret, $party?routing) else $party?suffix[. != '']"/>
        <cbc:EndpointID schemeID="0225">{string-join((p:dense($party?id), $behind), '_')}</cbc:EndpointID>
      </xsl:when>
      <xsl:when test="exists($of-vat)">
        <cbc:EndpointID schemeID="{$of-vat}">{$party?vat}</cbc:EndpointID>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- BT-30, BT-47: SIREN, VAT number in the Union, RIDET, TAHITI, or the registration of another country. -->
  <xsl:template name="p:legal-id">
    <xsl:param name="party" as="map(*)"/>
    <xsl:variable name="scheme" select="
        if (p:is-french($party)) then '0002'
        else if ($party?country = $union and substring($party?vat, 1, 2) = $union) then '0223'
        else if ($party?country = 'NC') then '0228'
        else if ($party?country = 'PF') then '0229'
        else if (not($party?country = ($union, $sirene))) then '0227'
        else ''"/>
    <xsl:variable name="id" select="
        if ($scheme = '0002') then p:dense($party?id) else if ($scheme = '0223') then $party?vat else $party?id"/>
    <xsl:if test="$id != ''">
      <cbc:CompanyID>
        <xsl:if test="$scheme != ''">
          <xsl:attribute name="schemeID" select="$scheme"/>
        </xsl:if>
        <xsl:text>{$id}</xsl:text>
      </cbc:CompanyID>
    </xsl:if>
  </xsl:template>

  <!-- A SIRET in France; abroad no scheme is known. -->
  <xsl:template name="p:establishment">
    <xsl:param name="place" as="map(*)"/>
    <cbc:ID>
      <xsl:if test="$place?country = $sirene or matches($place?siret, '^[0-9]{14}$')">
        <xsl:attribute name="schemeID" select="'0009'"/>
      </xsl:if>
      <xsl:text>{$place?siret}</xsl:text>
    </cbc:ID>
  </xsl:template>

  <xsl:template name="p:postal-address">
    <xsl:param name="place" as="map(*)"/>
    <xsl:if test="$place?street != ''">
      <cbc:StreetName>{$place?street}</cbc:StreetName>
    </xsl:if>
    <xsl:if test="$place?city != ''">
      <cbc:CityName>{$place?city}</cbc:CityName>
    </xsl:if>
    <xsl:if test="$place?zip != ''">
      <cbc:PostalZone>{$place?zip}</cbc:PostalZone>
    </xsl:if>
    <cac:Country>
      <cbc:IdentificationCode>{$place?country}</cbc:IdentificationCode>
    </cac:Country>
  </xsl:template>

  <!-- The payee, where another than the seller is paid: a factor. -->
  <xsl:template name="p:payee">
    <xsl:param name="payee" as="map(*)?"/>
    <xsl:if test="exists($payee)">
      <cac:PayeeParty>
        <cac:PartyName>
          <cbc:Name>{$payee?name}</cbc:Name>
        </cac:PartyName>
        <xsl:if test="$payee?siren != ''">
          <cac:PartyLegalEntity>
            <cbc:CompanyID>
              <xsl:if test="matches($payee?siren, '^[0-9]{9}$')">
                <xsl:attribute name="schemeID" select="'0002'"/>
              </xsl:if>
              <xsl:text>{$payee?siren}</xsl:text>
            </cbc:CompanyID>
          </cac:PartyLegalEntity>
        </xsl:if>
      </cac:PayeeParty>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
