<?xml version="1.0" encoding="UTF-8"?>
<!-- Reading an ERP report: padded text, French numbers, Julian dates. What cannot be read ends the transform and names the element. -->
<xsl:stylesheet version="3.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:p="urn:passerelle:transform"
    exclude-result-prefixes="#all"
    expand-text="yes">

  <!-- The first element of that name inside, at any depth. -->
  <xsl:function name="p:the-section" as="element()">
    <xsl:param name="within" as="node()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:variable name="child" select="$within/*[local-name() = $name][1]"/>
    <xsl:variable name="found" select="if ($child) then $child else $within/descendant::*[local-name() = $name][1]"/>
    <xsl:sequence select="if ($found) then $found else p:missing($within, $name)"/>
  </xsl:function>

  <!-- The child's text without its padding; '' when there is none. -->
  <xsl:function name="p:text" as="xs:string">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:sequence select="replace(string($section/*[local-name() = $name][1]), '^\s+|\s+$', '')"/>
  </xsl:function>

  <!-- An identifier without the blanks that print it in groups. -->
  <xsl:function name="p:dense" as="xs:string">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="translate($text, ' &#x9;&#xA;&#xD;&#xA0;&#x2009;&#x202F;', '')"/>
  </xsl:function>

  <xsl:function name="p:the-text" as="xs:string">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:variable name="text" select="p:text($section, $name)"/>
    <xsl:sequence select="if ($text = '') then p:missing($section, $name) else $text"/>
  </xsl:function>

  <!--
    '1 234,50', with any blank between thousands, '12,50-' below zero. A point is the decimal point, unless there is a comma
    too: then it separates thousands.
  -->
  <xsl:function name="p:number" as="xs:decimal?">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:variable name="text" select="p:text($section, $name)"/>
    <xsl:variable name="dense" select="translate($text, ' &#x9;&#xA0;&#x2009;&#x202F;', '')"/>
    <xsl:variable name="point" select="if (contains($dense, ',')) then translate($dense, ',.', '.') else $dense"/>
    <xsl:variable name="number" select="if (ends-with($point, '-')) then '-' || substring-before($point, '-') else $point"/>
    <xsl:choose>
      <xsl:when test="$dense = ''"/>
      <xsl:when test="$number castable as xs:decimal">
        <xsl:sequence select="xs:decimal($number)"/>
      </xsl:when>
      <xsl:otherwise>
        <xsl:sequence select="p:stop($name, $text,
            $name || ' vaut « ' || $text || ' », qui n''est pas un nombre',
            $name || ' is &quot;' || $text || '&quot;, which is not a number')"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:function>

  <xsl:function name="p:the-number" as="xs:decimal">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:variable name="number" select="p:number($section, $name)"/>
    <xsl:sequence select="if (exists($number)) then $number else p:missing($section, $name)"/>
  </xsl:function>

  <!-- CYYDDD: century after 1900, year, day of the year; 0 is no date. 2026-09-30 and 30/09/2026 are read too. -->
  <xsl:function name="p:date" as="xs:date?">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:variable name="text" select="p:text($section, $name)"/>
    <xsl:variable name="date" select="
        if (matches($text, '^[0-9]{4,6}$')) then p:julian(xs:integer($text))
        else if ($text castable as xs:date) then xs:date($text)
        else if (matches($text, '^[0-9]{2}/[0-9]{2}/[0-9]{4}$')) then p:iso(replace($text, '(..)/(..)/(....)', '$3-$2-$1'))
        else ()"/>
    <xsl:choose>
      <xsl:when test="matches($text, '^0*$')"/>
      <xsl:when test="exists($date)">
        <xsl:sequence select="$date"/>
      </xsl:when>
      <xsl:otherwise>
        <xsl:sequence select="p:stop($name, $text,
            $name || ' vaut « ' || $text || ' », qui n''est pas une date',
            $name || ' is &quot;' || $text || '&quot;, which is not a date')"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:function>

  <xsl:function name="p:the-date" as="xs:date">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:variable name="date" select="p:date($section, $name)"/>
    <xsl:sequence select="if (exists($date)) then $date else p:missing($section, $name)"/>
  </xsl:function>

  <xsl:function name="p:julian" as="xs:date?">
    <xsl:param name="number" as="xs:integer"/>
    <xsl:variable name="year" select="1900 + $number idiv 1000"/>
    <xsl:variable name="day" select="$number mod 1000"/>
    <xsl:variable name="date" select="xs:date($year || '-01-01') + ($day - 1) * xs:dayTimeDuration('P1D')"/>
    <xsl:sequence select="$date[$day gt 0 and year-from-date(.) = $year]"/>
  </xsl:function>

  <xsl:function name="p:iso" as="xs:date?">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="if ($text castable as xs:date) then xs:date($text) else ()"/>
  </xsl:function>

  <xsl:function name="p:missing">
    <xsl:param name="section" as="node()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:variable name="within" select="local-name($section)"/>
    <xsl:variable name="number" select="1 + count($section/preceding-sibling::*[local-name() = $within])"/>
    <xsl:variable name="owner" select="$owners[@section = $within]"/>
    <xsl:variable name="nth" select="if ($owner/@counted) then ' ' || $number else ''"/>
    <xsl:sequence select="p:stop($name, '',
        (if ($owner) then $owner/@fr || $nth || ' : l' else 'L') || '''élément ' || $name
          || ' manque ou est vide dans ' || (if ($within) then $within else 'la source'),
        (if ($owner) then $owner/@en || $nth || ': t' else 'T') || 'he element ' || $name
          || ' is missing or empty in ' || (if ($within) then $within else 'the source'))"/>
  </xsl:function>

  <!-- Names of the sections for somebody who does not know the report. -->
  <xsl:variable name="owners" as="element()+">
    <p:owner section="Bill_From_S12" fr="Vendeur" en="Seller"/>
    <p:owner section="Sold_To_S13" fr="Acheteur" en="Buyer"/>
    <p:owner section="Ship_To_S15" fr="Livraison" en="Delivery"/>
    <p:owner section="Payee_S16" fr="Bénéficiaire" en="Payee"/>
    <p:owner section="Header_Discount_S14" fr="Remise" en="Discount" counted="yes"/>
    <p:owner section="Invoice_Detail_S20" fr="Ligne" en="Line" counted="yes"/>
    <p:owner section="Tax_Summary_S30" fr="Ventilation de TVA" en="VAT breakdown" counted="yes"/>
    <p:owner section="Invoice_Total_S40" fr="Totaux" en="Totals"/>
  </xsl:variable>

  <!-- Ends the transform with one sentence in each language. -->
  <xsl:function name="p:stop">
    <xsl:param name="element" as="xs:string"/>
    <xsl:param name="value" as="xs:string"/>
    <xsl:param name="fr" as="xs:string"/>
    <xsl:param name="en" as="xs:string"/>
    <xsl:message terminate="yes">
      <p:error element="{$element}" value="{$value}">
        <p:fr>{$fr}</p:fr>
        <p:en>{$en}</p:en>
      </p:error>
    </xsl:message>
  </xsl:function>
</xsl:stylesheet>
