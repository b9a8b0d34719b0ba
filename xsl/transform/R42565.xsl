<?xml version="1.0" encoding="UTF-8"?>
<!--
  R42565 (Print Invoices) → UBL 2.1 invoice or credit note, EN 16931 with the French rules.

  This file alone knows the report: its element names and the constants it does not carry. Section and item ids (_S11,
  _ID135) differ from one report version to the next: copy this file, change the names, keep base/ as it is.
  A document may hold several invoices; the first is transformed.
-->
<xsl:stylesheet version="3.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:passerelle:transform"
    exclude-result-prefixes="#all"
    expand-text="yes">

  <xsl:import href="base/read.xsl"/>
  <xsl:import href="base/ubl.xsl"/>

  <xsl:output method="xml" encoding="UTF-8" indent="no"/>

  <!-- ## Constants. A template's property param.NAME replaces one. -->

  <!-- BT-24 -->
  <xsl:param name="customization" as="xs:string" select="'urn:cen.eu:en16931:2017'"/>
  <!-- BT-23 where the report gives none; without either the invoice is refused. -->
  <xsl:param name="process" as="xs:string" select="''"/>
  <!-- BT-3 by document type, for example 'RI=380 RC=384 RP=386 RS=389 RF=393'. The report's own code comes first. -->
  <xsl:param name="type-codes" as="xs:string" select="''"/>
  <!-- Document types printed as credit notes, separated by blanks, where type-codes does not name them. -->
  <xsl:param name="credit-types" as="xs:string" select="'RM'"/>
  <!-- BT-3 where type-codes does not name the document type. -->
  <xsl:param name="invoice-code" as="xs:string" select="'380'"/>
  <xsl:param name="credit-code" as="xs:string" select="'381'"/>
  <!-- The note BAR, where the report gives none. An empty one is left out. -->
  <xsl:param name="treatment" as="xs:string" select="''"/>
  <!-- BT-22: the notes French law asks for; an empty one is left out. -->
  <xsl:param name="note-PMT" as="xs:string" select="'Indemnité forfaitaire pour frais de recouvrement : 40 €'"/>
  <xsl:param name="note-PMD" as="xs:string" select="'Pénalités de retard : 3 fois le taux d''intérêt légal'"/>
  <xsl:param name="note-AAB" as="xs:string" select="'Pas d''escompte pour paiement anticipé'"/>
  <!-- BT-81 -->
  <xsl:param name="payment-code" as="xs:string" select="'30'"/>
  <!-- BT-84 where the report gives none: the IBAN of the template, else of the company. Without either a credit transfer is refused. -->
  <xsl:param name="iban" as="xs:string" select="''"/>
  <!-- BT-97 and BT-139 (BT-104, BT-144 for charges) where the report gives none. -->
  <xsl:param name="allowance-reason" as="xs:string" select="'Remise commerciale'"/>
  <xsl:param name="charge-reason" as="xs:string" select="'Frais'"/>
  <xsl:param name="line-allowance-reason" as="xs:string" select="'Remise ligne'"/>
  <xsl:param name="line-charge-reason" as="xs:string" select="'Frais ligne'"/>
  <!-- BT-121 and BT-120 of category E where the report gives none: the reason depends on what is sold. -->
  <xsl:param name="exempt-code" as="xs:string" select="''"/>
  <xsl:param name="exempt-reason" as="xs:string" select="''"/>

  <!-- Units of the ERP that are no UN/ECE code; all others pass as they are. -->
  <xsl:variable name="units" as="map(xs:string, xs:string)" select="map {
      'HR': 'HUR',
      'KG': 'KGM',
      'LT': 'LTR',
      'MT': 'MTR',
      'UN': 'C62'
    }"/>

  <!--
    ## Where each business term comes from: shown with a finding, which names the first element of its term.
    README.md repeats this list as a table; a test compares the two.
  -->

  <p:source bt="BT-1" field="DocumentOrderInvoiceE_ID135"/>
  <p:source bt="BT-1" field="DocumentType_ID136"/>
  <p:source bt="BT-2" field="DateInvoiceJ_ID140"/>
  <p:source bt="BT-3" field="DocumentType_ID136"/>
  <p:source bt="BT-3" field="InvoiceTypeCode_ID138"/>
  <p:source bt="BT-5" field="CurrencyCodeFrom_ID150"/>
  <p:source bt="BT-6" field="CurrencyCodeBase_ID151"/>
  <p:source bt="BT-9" field="DateNetDue_ID141"/>
  <p:source bt="BT-13" field="CustomerPO_ID162"/>
  <p:source bt="BT-14" field="OrderNumber_ID160"/>
  <p:source bt="BT-22" field="Treatment_ID156"/>
  <p:source bt="BT-23" field="ProcessFlag_ID155"/>
  <p:source bt="BT-25" field="OriginalDocument_ID161"/>
  <p:source bt="BT-26" field="DateOriginalInvoice_ID163"/>
  <p:source bt="BT-72" field="DateDelivered_ID142"/>

  <p:source bt="BT-27" field="Bill_From_S12/NameAlpha_ID18"/>
  <p:source bt="BT-29" field="Bill_From_S12/AdditionalTaxId_ID21"/>
  <p:source bt="BT-30" field="Bill_From_S12/TaxId_ID20"/>
  <p:source bt="BT-31" field="Bill_From_S12/VatNumber_ID22"/>
  <p:source bt="BT-34" field="Bill_From_S12/TaxId_ID20"/>
  <p:source bt="BT-34" field="Bill_From_S12/ElectronicAddress_ID24"/>
  <p:source bt="BT-34" field="Bill_From_S12/AddressScheme_ID25"/>
  <p:source bt="BT-34" field="Bill_From_S12/RoutingCode_ID26"/>
  <p:source bt="BT-34" field="Bill_From_S12/AddressSuffix_ID27"/>
  <p:source bt="BT-35" field="Bill_From_S12/AddressLine1_ID41"/>
  <p:source bt="BT-37" field="Bill_From_S12/City_ID43"/>
  <p:source bt="BT-38" field="Bill_From_S12/ZipCodePostal_ID44"/>
  <p:source bt="BT-40" field="Bill_From_S12/Country_ID45"/>
  <p:source bt="BT-84" field="Bill_From_S12/IBAN_ID23"/>

  <p:source bt="BT-44" field="Sold_To_S13/NameAlpha_ID18"/>
  <p:source bt="BT-46" field="Sold_To_S13/AdditionalTaxId_ID21"/>
  <p:source bt="BT-47" field="Sold_To_S13/TaxId_ID20"/>
  <p:source bt="BT-48" field="Sold_To_S13/VatNumber_ID22"/>
  <p:source bt="BT-49" field="Sold_To_S13/TaxId_ID20"/>
  <p:source bt="BT-49" field="Sold_To_S13/ElectronicAddress_ID24"/>
  <p:source bt="BT-49" field="Sold_To_S13/AddressScheme_ID25"/>
  <p:source bt="BT-49" field="Sold_To_S13/RoutingCode_ID26"/>
  <p:source bt="BT-49" field="Sold_To_S13/AddressSuffix_ID27"/>
  <p:source bt="BT-50" field="Sold_To_S13/AddressLine1_ID41"/>
  <p:source bt="BT-52" field="Sold_To_S13/City_ID43"/>
  <p:source bt="BT-53" field="Sold_To_S13/ZipCodePostal_ID44"/>
  <p:source bt="BT-55" field="Sold_To_S13/Country_ID45"/>

  <p:source bt="BT-70" field="Ship_To_S15/NameAlpha_ID18"/>
  <p:source bt="BT-71" field="Ship_To_S15/AdditionalTaxId_ID21"/>
  <p:source bt="BT-75" field="Ship_To_S15/AddressLine1_ID41"/>
  <p:source bt="BT-77" field="Ship_To_S15/City_ID43"/>
  <p:source bt="BT-78" field="Ship_To_S15/ZipCodePostal_ID44"/>
  <p:source bt="BT-80" field="Ship_To_S15/Country_ID45"/>

  <p:source bt="BT-59" field="Payee_S16/NameAlpha_ID18"/>
  <p:source bt="BT-61" field="Payee_S16/TaxId_ID20"/>
  <p:source bt="BT-84" field="Payee_S16/IBAN_ID23"/>

  <p:source bt="BT-92" field="Header_Discount_S14/AmountDiscount_ID202"/>
  <p:source bt="BT-95" field="Header_Discount_S14/TaxCategory_ID203"/>
  <p:source bt="BT-96" field="Header_Discount_S14/TaxRate_ID204"/>
  <p:source bt="BT-97" field="Header_Discount_S14/Description_ID200"/>
  <p:source bt="BT-98" field="Header_Discount_S14/ReasonCode_ID201"/>
  <p:source bt="BT-99" field="Header_Discount_S14/AmountDiscount_ID202"/>
  <p:source bt="BT-102" field="Header_Discount_S14/TaxCategory_ID203"/>
  <p:source bt="BT-103" field="Header_Discount_S14/TaxRate_ID204"/>
  <p:source bt="BT-104" field="Header_Discount_S14/Description_ID200"/>
  <p:source bt="BT-105" field="Header_Discount_S14/ReasonCode_ID201"/>
  <p:source bt="BT-107" field="Header_Discount_S14/AmountDiscount_ID202"/>
  <p:source bt="BT-108" field="Header_Discount_S14/AmountDiscount_ID202"/>

  <p:source bt="BT-106" field="Invoice_Detail_S20/AmountExtendedPrice_ID309"/>
  <p:source bt="BT-109" field="Invoice_Total_S40/AmountTaxable_ID502"/>
  <p:source bt="BT-110" field="Invoice_Total_S40/AmtTax_ID503"/>
  <p:source bt="BT-111" field="Invoice_Total_S40/AmtTaxDomestic_ID505"/>
  <p:source bt="BT-111" field="ExchangeRate_ID152"/>
  <p:source bt="BT-112" field="Invoice_Total_S40/AmountGross_ID501"/>
  <p:source bt="BT-113" field="Invoice_Total_S40/AmountOpen_ID504"/>
  <p:source bt="BT-115" field="Invoice_Total_S40/AmountOpen_ID504"/>

  <p:source bt="BT-116" field="Tax_Summary_S30/AmountTaxable_ID403"/>
  <p:source bt="BT-117" field="Tax_Summary_S30/AmtTax2_ID404"/>
  <p:source bt="BT-118" field="Tax_Summary_S30/TaxCategory_ID401"/>
  <p:source bt="BT-119" field="Tax_Summary_S30/TaxRate_ID402"/>
  <p:source bt="BT-120" field="Tax_Summary_S30/ExemptionReason_ID406"/>
  <p:source bt="BT-121" field="Tax_Summary_S30/ExemptionCode_ID405"/>

  <p:source bt="BT-126" field="Invoice_Detail_S20/LineNumber_ID301"/>
  <p:source bt="BT-129" field="Invoice_Detail_S20/UnitsTransactionQty_ID305"/>
  <p:source bt="BT-130" field="Invoice_Detail_S20/UnitOfMeasure_ID306"/>
  <p:source bt="BT-131" field="Invoice_Detail_S20/AmountExtendedPrice_ID309"/>
  <p:source bt="BT-136" field="Invoice_Detail_S20/LineDiscount_ID308"/>
  <p:source bt="BT-141" field="Invoice_Detail_S20/LineDiscount_ID308"/>
  <p:source bt="BT-146" field="Invoice_Detail_S20/AmtPricePerUnit2_ID307"/>
  <p:source bt="BT-151" field="Invoice_Detail_S20/TaxCategory_ID310"/>
  <p:source bt="BT-152" field="Invoice_Detail_S20/TaxRate_ID311"/>
  <p:source bt="BT-153" field="Invoice_Detail_S20/DescriptionLine1_ID303"/>
  <p:source bt="BT-154" field="Invoice_Detail_S20/DescriptionLine2_ID304"/>
  <p:source bt="BT-155" field="Invoice_Detail_S20/Identifier2ndItem_ID302"/>

  <!-- ## The report, read. A function named after "the-" insists on a value and names the element it misses. -->

  <xsl:template match="/">
    <xsl:variable name="header" select="p:the-section(/, 'Invoice_Header_S11')"/>
    <xsl:call-template name="p:document">
      <xsl:with-param name="invoice" select="p:invoice($header)"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:function name="p:invoice" as="map(*)">
    <xsl:param name="header" as="element()"/>
    <xsl:variable name="type" select="p:the-text($header, 'DocumentType_ID136')"/>
    <xsl:variable name="total" select="p:the-section($header, 'Invoice_Total_S40')"/>
    <xsl:variable name="code" select="p:type-code($header, $type)"/>
    <xsl:variable name="credit" select="$code = $credit-codes"/>
    <xsl:variable name="gross" select="p:the-number($total, 'AmountGross_ID501')"/>
    <!-- A credit note printed in negative figures says the same in positive ones. -->
    <xsl:variable name="sign" select="if ($credit and $gross lt 0) then -1 else 1"/>
    <xsl:variable name="seller" select="p:the-section($header, 'Bill_From_S12')"/>
    <xsl:variable name="payee" select="$header/Payee_S16[normalize-space()][1]"/>
    <xsl:variable name="currency" select="p:the-text($header, 'CurrencyCodeFrom_ID150')"/>
    <!-- VAT is declared in euros, whatever the currency of the invoice. -->
    <xsl:variable name="vat-currency" select="(p:text($header, 'CurrencyCodeBase_ID151'), 'EUR')[. != ''][1]"/>
    <xsl:variable name="tax" select="p:the-number($total, 'AmtTax_ID503')"/>
    <xsl:sequence select="map {
        'doc':           p:the-text($header, 'DocumentOrderInvoiceE_ID135'),
        'dct':           $type,
        'kco':           p:the-text($header, 'KeyCompany_ID137'),
        'code':          $code,
        'credit':        $credit,
        'issued':        p:the-date($header, 'DateInvoiceJ_ID140'),
        'due':           p:date($header, 'DateNetDue_ID141'),
        'delivered':     p:date($header, 'DateDelivered_ID142'),
        'currency':      $currency,
        'vat-currency':  $vat-currency[. != $currency],
        'process':       if ($process = '') then p:the-text($header, 'ProcessFlag_ID155')
                         else (p:text($header, 'ProcessFlag_ID155'), $process)[. != ''][1],
        'treatment':     (p:text($header, 'Treatment_ID156'), $treatment)[. != ''][1],
        'order':         p:text($header, 'CustomerPO_ID162'),
        'sales-order':   p:text($header, 'OrderNumber_ID160'),
        'original':      p:text($header, 'OriginalDocument_ID161'),
        'original-date': p:date($header, 'DateOriginalInvoice_ID163'),
        'seller':        p:party($seller),
        'buyer':         p:party(p:the-section($header, 'Sold_To_S13')),
        'payee':         $payee ! map {
                           'name':  p:the-text(., 'NameAlpha_ID18'),
                           'siren': p:dense(p:text(., 'TaxId_ID20'))
                         },
        'ship-to':       $header/Ship_To_S15[normalize-space()][1] ! p:place(.),
        'iban':          p:account(($payee, $seller)),
        'extras':        $header/Header_Discount_S14 ! p:extra(., $sign),
        'taxes':         $header/Tax_Summary_S30 ! p:tax(., $sign),
        'lines':         $header/Invoice_Detail_S20 ! p:line(., $sign),
        'gross':         $sign * $gross,
        'net':           $sign * p:the-number($total, 'AmountTaxable_ID502'),
        'tax':           $sign * $tax,
        'vat':           if ($vat-currency = $currency) then ()
                         else $sign * p:domestic-tax($header, $total, $tax, $vat-currency),
        'open':          $sign * (p:number($total, 'AmountOpen_ID504'), $gross)[1]
      }"/>
  </xsl:function>

  <!-- BT-3: the report's own code, else what the parameters say of the document type. -->
  <xsl:function name="p:type-code" as="xs:string">
    <xsl:param name="header" as="element()"/>
    <xsl:param name="type" as="xs:string"/>
    <xsl:variable name="given" select="p:text($header, 'InvoiceTypeCode_ID138')"/>
    <xsl:variable name="mapped" select="tokenize($type-codes)[substring-before(., '=') = $type] ! substring-after(., '=')"/>
    <xsl:variable name="code" select="
        if ($given != '') then $given
        else if (exists($mapped)) then $mapped[1]
        else if ($type = tokenize($credit-types)) then $credit-code
        else $invoice-code"/>
    <xsl:sequence select="
        if ($code = ($invoice-codes, $credit-codes)) then $code
        else p:stop(if ($given != '') then 'InvoiceTypeCode_ID138' else 'DocumentType_ID136', ($given, $type)[. != ''][1],
            'Le type de facture « ' || $code || ' » (BT-3) n''existe pas : corrigez-le dans l''ERP ou dans le paramètre type-codes du modèle',
            'The invoice type &quot;' || $code || '&quot; (BT-3) does not exist: correct it in the ERP or in the parameter type-codes of the template')"/>
  </xsl:function>

  <!-- BT-84. The payee's account comes before the seller's, and both before the template's. -->
  <xsl:function name="p:account" as="xs:string">
    <xsl:param name="sections" as="element()*"/>
    <xsl:variable name="account" select="($sections ! p:text(., 'IBAN_ID23'), $iban)[. != ''][1]"/>
    <xsl:sequence select="
        if (exists($account)) then p:dense($account)
        else if ($payment-code = ('30', '58')) then p:stop('IBAN_ID23', '',
            'Aucun compte de paiement (BT-84) : renseignez l''IBAN de votre société (Administration, Société) ou celui du modèle de document, ou ajoutez IBAN_ID23 à Bill_From_S12 dans l''ERP',
            'No payment account (BT-84): enter the IBAN of your company (Administration, Company) or of the document template, or add IBAN_ID23 to Bill_From_S12 in the ERP')
        else ''"/>
  </xsl:function>

  <!-- BT-111: the report's amount, else the VAT multiplied by the exchange rate. -->
  <xsl:function name="p:domestic-tax" as="xs:decimal">
    <xsl:param name="header" as="element()"/>
    <xsl:param name="total" as="element()"/>
    <xsl:param name="tax" as="xs:decimal"/>
    <xsl:param name="currency" as="xs:string"/>
    <xsl:variable name="amount" select="p:number($total, 'AmtTaxDomestic_ID505')"/>
    <xsl:variable name="rate" select="p:number($header, 'ExchangeRate_ID152')"/>
    <xsl:sequence select="
        if (exists($amount)) then $amount
        else if ($tax = 0) then $tax
        else if (exists($rate)) then $tax * $rate
        else p:stop('AmtTaxDomestic_ID505', '',
            'La TVA en ' || $currency || ' (BT-111) est inconnue : ajoutez AmtTaxDomestic_ID505 ou ExchangeRate_ID152 dans l''ERP',
            'The VAT in ' || $currency || ' (BT-111) is unknown: add AmtTaxDomestic_ID505 or ExchangeRate_ID152 in the ERP')"/>
  </xsl:function>

  <xsl:function name="p:party" as="map(*)">
    <xsl:param name="section" as="element()"/>
    <xsl:variable name="routing" select="p:text($section, 'RoutingCode_ID26')"/>
    <xsl:sequence select="map:merge((p:place($section), map {
        'name':    p:the-text($section, 'NameAlpha_ID18'),
        'id':      p:text($section, 'TaxId_ID20'),
        'vat':     p:dense(p:text($section, 'VatNumber_ID22')),
        'address': p:text($section, 'ElectronicAddress_ID24'),
        'scheme':  p:text($section, 'AddressScheme_ID25'),
        'routing': $routing,
        'siret':   if ($routing = '') then p:dense(p:text($section, 'AdditionalTaxId_ID21'))
                   else p:dense(p:the-text($section, 'AdditionalTaxId_ID21')),
        'suffix':  p:text($section, 'AddressSuffix_ID27')
      }), map { 'duplicates': 'use-last' })"/>
  </xsl:function>

  <!-- A name, an establishment and a postal address. -->
  <xsl:function name="p:place" as="map(*)">
    <xsl:param name="section" as="element()"/>
    <xsl:sequence select="map {
        'name':    p:text($section, 'NameAlpha_ID18'),
        'siret':   p:dense(p:text($section, 'AdditionalTaxId_ID21')),
        'street':  p:text($section, 'AddressLine1_ID41'),
        'city':    p:text($section, 'City_ID43'),
        'zip':     p:text($section, 'ZipCodePostal_ID44'),
        'country': p:the-text($section, 'Country_ID45')
      }"/>
  </xsl:function>

  <!-- A discount; one below zero is a charge. -->
  <xsl:function name="p:extra" as="map(*)">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="sign" as="xs:integer"/>
    <xsl:sequence select="map {
        'amount':   $sign * p:the-number($section, 'AmountDiscount_ID202'),
        'reason':   p:text($section, 'Description_ID200'),
        'code':     p:text($section, 'ReasonCode_ID201'),
        'category': p:the-text($section, 'TaxCategory_ID203'),
        'rate':     p:number($section, 'TaxRate_ID204')
      }"/>
  </xsl:function>

  <xsl:function name="p:tax" as="map(*)">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="sign" as="xs:integer"/>
    <xsl:sequence select="map {
        'category': p:the-text($section, 'TaxCategory_ID401'),
        'rate':     p:number($section, 'TaxRate_ID402'),
        'base':     $sign * p:the-number($section, 'AmountTaxable_ID403'),
        'amount':   $sign * p:the-number($section, 'AmtTax2_ID404'),
        'code':     p:text($section, 'ExemptionCode_ID405'),
        'reason':   p:text($section, 'ExemptionReason_ID406')
      }"/>
  </xsl:function>

  <xsl:function name="p:line" as="map(*)">
    <xsl:param name="section" as="element()"/>
    <xsl:param name="sign" as="xs:integer"/>
    <xsl:variable name="unit" select="p:the-text($section, 'UnitOfMeasure_ID306')"/>
    <xsl:sequence select="map {
        'id':          p:the-number($section, 'LineNumber_ID301'),
        'item':        p:text($section, 'Identifier2ndItem_ID302'),
        'name':        p:the-text($section, 'DescriptionLine1_ID303'),
        'description': p:text($section, 'DescriptionLine2_ID304'),
        'quantity':    $sign * p:the-number($section, 'UnitsTransactionQty_ID305'),
        'unit':        ($units($unit), $unit)[1],
        'price':       p:the-number($section, 'AmtPricePerUnit2_ID307'),
        'discount':    $sign * (p:number($section, 'LineDiscount_ID308'), 0)[1],
        'net':         $sign * p:the-number($section, 'AmountExtendedPrice_ID309'),
        'category':    p:the-text($section, 'TaxCategory_ID310'),
        'rate':        p:number($section, 'TaxRate_ID311')
      }"/>
  </xsl:function>
</xsl:stylesheet>
