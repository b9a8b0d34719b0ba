/** Results of the work on an invoice, and answers of other systems. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  // Notifications
  "Delivery {1} is {2}; only a dead one is dismissed":
    "La notification {1} est {2} ; seule une notification morte peut être ignorée",

  // Runs
  " (field {1}, line {2}, column {3})": " (champ {1}, ligne {2}, colonne {3})",
  " (line {1}, column {2})": " (ligne {1}, colonne {2})",
  "{1} (line {2}, column {3})": "{1} (ligne {2}, colonne {3})",
  "The PA holds this invoice ({1}) with other content; it is not replaced. Differences: {2}. To correct it, issue a credit note (381) or a corrective invoice (384)":
    "La PA détient cette facture ({1}) avec un autre contenu ; elle n'est pas remplacée. Différences : {2}. Pour la corriger, émettez un avoir (381) ou une facture rectificative (384)",
  "The platform already has an invoice with this number, which was not sent from Passerelle":
    "La plateforme a déjà une facture de ce numéro, qui n'a pas été envoyée depuis Passerelle",
  "Sent again by force: {1}": "Renvoyée malgré tout : {1}",
  "The PA holds invoice {1}, or may hold it ({2} {3}): to send it again, give force: true with a reason":
    "La PA détient la facture {1}, ou peut la détenir ({2} {3}) : pour la renvoyer, donnez force: true avec un motif",
  "force needs a reason, and a reason needs force":
    "force demande un motif, et un motif demande force",
  "already recorded, unchanged ({1})": "déjà enregistrée, inchangée ({1})",
  "This invoice is recorded ({1}) with other content; it is not replaced. Differences: {2}. To replace it, import the file again with “Replace invoices not sent yet”":
    "Cette facture est enregistrée ({1}) avec un autre contenu ; elle n'est pas remplacée. Différences : {2}. Pour la remplacer, importez de nouveau le fichier avec « Remplacer les factures pas encore envoyées »",
  "The file has no document {1}, only {2}": "Le fichier n'a pas de document {1}, seulement {2}",
  "Give one document: invoice, or erp with either file or content":
    "Donnez un seul document : invoice, ou erp avec file ou content",
  "twice in the file, see line {1}": "deux fois dans le fichier, voir la ligne {1}",
  "This invoice is twice in the file, with other content in line {1}; only that one is imported. Differences: {2}":
    "Cette facture figure deux fois dans le fichier, avec un autre contenu à la ligne {1} ; seule celle-là est importée. Différences : {2}",
  "the recorded document cannot be read as an invoice":
    "le document enregistré n'est pas lisible comme facture",
  "content outside EN 16931": "contenu hors EN 16931",
  "{1} more": "{1} de plus",
  "Aborted by {1}": "Interrompu par {1}",
  "Stopped by {1}": "Arrêté par {1}",
  "Stopped by {1}; invoices not started: {2}": "Arrêté par {1} ; factures non commencées : {2}",
  "Invoices found in {1}: {2}": "Factures trouvées dans {1} : {2}",
  "It has {1} VAT subtotals; {2} can be recorded":
    "Elle a {1} sous-totaux de TVA ; {2} peuvent être enregistrés",
  "It has {1} lines; {2} can be recorded": "Elle a {1} lignes ; {2} peuvent être enregistrées",
  "It cannot be recorded as {1}: a document number has 1 to 60 characters in one line, a type and a company 1 to 20 without spaces and hyphens":
    "Elle ne peut pas être enregistrée sous {1} : un numéro de document a de 1 à 60 caractères sur une ligne, un type et une société de 1 à 20 sans espace ni tiret",
  "It has no number to be recorded by": "Elle n'a pas de numéro sous lequel l'enregistrer",
  "It is neither a UBL nor a CII invoice that can be read":
    "Ce n'est pas une facture UBL ou CII lisible",
  "This file is an invoice in UBL or CII, not a report of the ERP. Import it with the mode “The file is UBL already: validate and send it” (UBL)":
    "Ce fichier est une facture UBL ou CII, pas un rapport de l'ERP. Importez-le avec le traitement « Le fichier est déjà en UBL : le contrôler et l'envoyer » (UBL)",
  "This file has no invoice for the template {1}. Check that you chose the right file and the right template":
    "Ce fichier ne contient aucune facture pour le modèle {1}. Vérifiez que vous avez choisi le bon fichier et le bon modèle",
  "Mode SINGLE takes one invoice, and line {1} of {2} begins a second one; use BURST":
    "Le mode SINGLE prend une facture, et la ligne {1} de {2} en commence une seconde ; utilisez BURST",
  "Of 1 invoice {1}": "Sur 1 facture : {1}",
  "Of {1} invoices {2}": "Sur {1} factures : {2}",
  "The PA's readable view of invoice {1} is not a PDF; open the invoice at the PA":
    "La vue lisible de la facture {1} remise par la PA n'est pas un PDF ; ouvrez la facture sur la PA",
  "The database refused it: {1}": "La base de données l'a refusée : {1}",
  "The file {1} has more than {2} invoices (line {3}); split it":
    "Le fichier {1} a plus de {2} factures (ligne {3}) ; découpez-le",
  "The file {1} has {2} bytes around its invoices, which are transformed with each of them. Up to the invoice at line {3}, the {4}th, these are more than {5} bytes; split the file":
    "Le fichier {1} a {2} octets autour de ses factures, transformés avec chacune d'elles. Jusqu'à la facture de la ligne {3}, la {4}e, cela fait plus de {5} octets ; découpez le fichier",
  "1 blocked": "1 bloquée",
  "{1} blocked": "{1} bloquées",
  "1 not replaced, other content": "1 non remplacée, autre contenu",
  "{1} not replaced, other content": "{1} non remplacées, autre contenu",
  "{1} failed": "{1} en échec",
  "invoice {1} at line {2}": "facture {1} à la ligne {2}",
  "line {1}": "ligne {1}",
  "1 rejected": "1 rejetée",
  "{1} rejected": "{1} rejetées",
  "1 not sent": "1 non envoyée",
  "{1} not sent": "{1} non envoyées",
  "{1} waiting for a choice of treatment": "{1} en attente d'un choix de traitement",
  "{1}: not sent. {2}": "{1} : non envoyée. {2}",
  "The PA holds it under the rule {1}: no status follows":
    "La PA la conserve sous la règle {1} : aucun statut ne suit",
  "Nothing is open at invoice {1} for {2}: reload it":
    "Rien n'est ouvert pour la facture {1} ({2}) : rechargez-la",
  "Invoice {1} is not marked as handled: reload it":
    "La facture {1} n'est pas marquée comme traitée : rechargez-la",
  "Invoice {1} is at the PA: its treatment cannot change any more":
    "La facture {1} est à la PA : son traitement ne peut plus changer",
  "Invoice {1} was received: its PA decides the treatment":
    "La facture {1} a été reçue : c'est sa PA qui décide du traitement",
  "Invoice {1} has no document that can be read": "La facture {1} n'a pas de document lisible",
  "Invoice {1} was replaced meanwhile: choose again":
    "La facture {1} a été remplacée entre-temps : choisissez à nouveau",
  "Invoice {1} waits for a choice of its treatment first":
    "Choisissez d'abord le traitement de la facture {1}",
  "valid": "conforme",
  "valid, 1 remark": "conforme, 1 remarque",
  "valid, {1} remarks": "conforme, {1} remarques",
  "{1} And 1 other cause": "{1} Et 1 autre cause",
  "{1} And {2} other causes": "{1} Et {2} autres causes",
  "{1} of {2} rules ran": "{1} règles sur {2}",

  // Documents
  "it is no well-formed XML": "ce n'est pas du XML bien formé",
  "it is no well-formed XML inside a PDF": "ce n'est pas du XML bien formé dans un PDF",
  "its root element is {1}": "son élément racine est {1}",
  "The PDF cannot be read: {1}": "Le PDF est illisible : {1}",
  "The PDF cannot be read: its structure is damaged":
    "Le PDF est illisible : sa structure est endommagée",
  "The PDF embeds no invoice, but {1}; ask the sender for a Factur-X with factur-x.xml":
    "Le PDF ne contient pas de facture, mais {1} ; demandez à l'expéditeur un Factur-X avec factur-x.xml",
  "The PDF embeds no invoice: {1} is another message; ask the sender for the invoice":
    "Le PDF ne contient pas de facture : {1} est un autre message ; demandez la facture à l'expéditeur",
  "The PDF embeds no invoice; ask the sender for a Factur-X with factur-x.xml":
    "Le PDF ne contient pas de facture ; demandez à l'expéditeur un Factur-X avec factur-x.xml",
  "The PDF embeds two invoices, {1} and {2}: which one counts is not known":
    "Le PDF contient deux factures, {1} et {2} : on ne sait pas laquelle compte",
  "The PDF has more than {1} objects": "Le PDF a plus de {1} objets",
  "The PDF has {1} bytes; {2} are allowed": "Le PDF a {1} octets ; {2} sont admis",
  "The PDF is encrypted; PDF/A, and so Factur-X, forbids that":
    "Le PDF est chiffré ; PDF/A, et donc Factur-X, l'interdit",
  "The PDF names {1} and does not hold it": "Le PDF nomme {1} et ne le contient pas",
  "The invoice is too long for a PDF: {1}": "La facture est trop longue pour un PDF : {1}",
  "The process for {1} did not answer: {2}": "Le processus pour {1} n'a pas répondu : {2}",
  "The process for {1} was stopped: {2}. Send less at once.":
    "Le processus pour {1} a été arrêté : {2}. Envoyez moins de données à la fois.",
  "{1} cannot be decompressed: {2}": "{1} ne peut pas être décompressé : {2}",
  "The PDF keeps {1} in another file; embed it":
    "Le PDF garde {1} dans un autre fichier ; embarquez-le",
  "{1} cannot be decompressed: its {2} data is damaged":
    "{1} ne peut pas être décompressé : ses données {2} sont endommagées",
  "{1} has {2} filters; {3} are allowed": "{1} a {2} filtres ; {3} sont permis",
  "{1} has more than {2} bytes once it is decompressed":
    "{1} a plus de {2} octets une fois décompressé",
  "{1} is compressed in a way that is not read here ({2})":
    "{1} est compressé d'une façon qui n'est pas lue ici ({2})",

  // The PA
  "Flow {1} of {2} is another document{3}": "Le flux {1} de {2} est un autre document{3}",
  "Flow {1}: {2}": "Flux {1} : {2}",
  "Given up before sending": "Abandonné avant l'envoi",
  "Retries are kept to a part of the traffic":
    "Les nouveaux essais sont limités à une part du trafic",
  "The PA does not know it yet": "La PA ne la connaît pas encore",
  "The PA was read by another poll meanwhile": "La PA a été lue entre-temps par une autre lecture",
  "The worker was held up for longer than its lease":
    "Le processus de travail a été retenu plus longtemps que son bail",
  "given up before sending": "abandonné avant l'envoi",
  "interrupted before the answer came": "interrompu avant la réponse",
  "it can neither search by tracking id nor list flows received since":
    "elle ne sait ni chercher par identifiant de suivi ni lister les flux reçus depuis",
  "its flows carry neither tracking id nor name":
    "ses flux ne portent ni identifiant de suivi ni nom",
  "no answer ({1})": "pas de réponse ({1})",
  "no answer within {1} ms": "pas de réponse en {1} ms",
  "the answer cannot be understood": "la réponse est incompréhensible",
  "the answer is larger than {1} bytes": "la réponse dépasse {1} octets",
  "the file is empty": "le fichier est vide",
  "the receipt is for {1}, not for {2}": "l'accusé est pour {1}, pas pour {2}",
  "{1}; attempt {2} was the last one": "{1} ; la tentative {2} était la dernière",
  "{1} cannot tell: {2}": "{1} ne peut pas le dire : {2}",
  "{1}; a search, made to compare: {2}": "{1} ; une recherche, faite pour comparer : {2}",
  "{1} does not know a flow {2}": "{1} ne connaît pas de flux {2}",
  "the trial PA": "la PA d'essai",
  "{1} handed over a page or a part in the file's place":
    "{1} a remis une page ou un fragment à la place du fichier",
  "Sending is off (SENDING=off, or a restored backup): deno task -q cli sending on switches it on":
    "L'envoi est coupé (SENDING=off, ou sauvegarde restaurée) : deno task -q cli sending on le rétablit",
  "{1} is not called for now": "{1} n'est pas appelée pour le moment",
  "{1}: HTTP {2}, but {3}": "{1} : HTTP {2}, mais {3}",
  "{1}: HTTP {2}{3}": "{1} : HTTP {2}{3}",
  "{1}: its address is invalid": "{1} : son adresse est invalide",
  "{1}: received from the PA": "{1} : reçue de la PA",
  "{1}: received from the PA, {2} fatal findings":
    "{1} : reçue de la PA, {2} anomalie(s) bloquante(s)",

  // Mail, hosts, databases
  "A row with these values exists already": "Une ligne avec ces valeurs existe déjà",
  "The database role of the pool may not do this": "Le rôle de la base n'a pas ce droit",
  "The download failed": "Le téléchargement a échoué",
  "No mail server is set up, so the e-mail was only written to a file":
    "Aucun serveur de courriel n'est configuré : le courriel n'est écrit que dans un fichier",
  "The mail server {1} does not answer at the moment":
    "Le serveur de courriel {1} ne répond pas en ce moment",
  "The mail server {1} did not take the message: {2}":
    "Le serveur de courriel {1} n'a pas pris le message : {2}",
  "The mail server {1} did not take the message within {2} s":
    "Le serveur de courriel {1} n'a pas pris le message en {2} s",
  "The mail server {1} refuses the recipient: {2}":
    "Le serveur de courriel {1} refuse le destinataire : {2}",
  "The mail server {1} refuses the connection: check its address and port":
    "Le serveur de courriel {1} refuse la connexion : vérifiez son adresse et son port",
  "The mail server {1} does not answer: check its address and port":
    "Le serveur de courriel {1} ne répond pas : vérifiez son adresse et son port",
  "The mail server {1} cannot be found: check its name":
    "Le serveur de courriel {1} est introuvable : vérifiez son nom",
  "The mail server {1} cut the connection": "Le serveur de courriel {1} a coupé la connexion",
  "The network does not lead to the mail server {1}: check its address":
    "Le réseau ne mène pas au serveur de courriel {1} : vérifiez son adresse",
  "The product was stopped while it sent the message":
    "Le produit s'est arrêté pendant l'envoi du message",
  "The mail server {1} does not begin with TLS: choose STARTTLS, or the port for TLS":
    "Le serveur de courriel {1} ne commence pas par TLS : choisissez STARTTLS, ou le port prévu pour TLS",
  "The mail server {1} accepts the connection but does not greet: choose “TLS from the start”, or check its port":
    "Le serveur de courriel {1} accepte la connexion mais reste muet : choisissez « TLS dès le début », ou vérifiez son port",
  "The mail server {1} requires STARTTLS: choose “STARTTLS”":
    "Le serveur de courriel {1} exige STARTTLS : choisissez « STARTTLS »",
  "The mail server {1} does not offer STARTTLS ({2}): choose “TLS from the start” or “None”":
    "Le serveur de courriel {1} n'offre pas STARTTLS ({2}) : choisissez « TLS dès le début » ou « Aucune »",
  "The mail server {1} refuses the account or its password: {2}":
    "Le serveur de courriel {1} refuse le compte ou son mot de passe : {2}",
  "The certificate of the mail server {1} is not trusted ({2}): enter the certificate of its authority":
    "Le certificat du serveur de courriel {1} n'est pas reconnu ({2}) : saisissez le certificat de son autorité",
  "The read query tried to write": "La requête de lecture a tenté d'écrire",
  "Another statement was changing the same rows; try again":
    "Une autre instruction modifiait les mêmes lignes ; réessayez",

  // Rule sets
  "The release holds no Schematron schema": "La publication ne contient pas de schéma Schematron",
  "The file {1} was replaced since": "Le fichier {1} a été remplacé depuis",
  "Another file {1} is there already: send it once more":
    "Il y a déjà un autre fichier {1} : envoyez-le encore une fois",
  "There are {1} files called {2} already: give this one another name":
    "Il y a déjà {1} fichiers appelés {2} : donnez un autre nom à celui-ci",
  "The release holds no {1}, no rule set {2} is known and its rules name no root: name its root element (--root {NAMESPACE}NAME, roots)":
    "La publication ne contient pas de {1}, aucun jeu {2} n'est connu et ses règles ne nomment pas de racine : indiquez l'élément racine (--root {NAMESPACE}NAME, roots)",
  "The release holds {1} schemas; give the entry: {2}":
    "La publication contient {1} schémas ; donnez l'entrée : {2}",
  "The server {1} cannot be reached ({2}): check its address and port":
    "Le serveur {1} est injoignable ({2}) : vérifiez son adresse et son port",
  "The server {1} is in a private network: the operator must list it in PRIVATE_HOSTS":
    "Le serveur {1} est sur un réseau privé : l'exploitant doit l'inscrire dans PRIVATE_HOSTS",
  "The server {1} cannot be found: check the name of the host; a host in a private network must be listed in PRIVATE_HOSTS":
    "Le serveur {1} est introuvable : vérifiez le nom de l'hôte ; un hôte d'un réseau privé doit figurer dans PRIVATE_HOSTS",
  "{1} (token for {2})": "{1} (jeton pour {2})",
  "{1} does not accept the client or its secret (HTTP {2}{3}): check both":
    "{1} n'accepte pas le client ou son secret (HTTP {2}{3}) : vérifiez les deux",
  "{1} issues no tokens there (HTTP {2}): check the address for tokens":
    "{1} ne délivre pas de jeton à cette adresse (HTTP {2}) : vérifiez l'adresse des jetons",
  "{1} does not accept the token (HTTP {2}{3}): check the sign-in settings":
    "{1} n'accepte pas le jeton (HTTP {2}{3}) : vérifiez l'identification",
  "{1} has no service at {2} (HTTP {3}): check the address of the service":
    "{1} n'a pas de service à l'adresse {2} (HTTP {3}) : vérifiez l'adresse du service",
  "{1} cannot be reached; a host in a private network must be listed in PRIVATE_HOSTS":
    "{1} est injoignable ; un hôte d'un réseau privé doit figurer dans PRIVATE_HOSTS",
  "{1}: its token cannot stand in a header": "{1} : son jeton ne peut pas figurer dans un en-tête",
  "{1}: the answer contains no token; check the address for tokens":
    "{1} : la réponse ne contient pas de jeton ; vérifiez l'adresse des jetons",

  // Receipts of the PA
  ": name {1}": " : nom {1}",
  ": name {1}, tracking id {2}": " : nom {1}, identifiant de suivi {2}",
  ": tracking id {1}": " : identifiant de suivi {1}",
  " of {1}": " de {1}",
  "Invoice {1} of seller {2} is recorded here as {3}, and the type {4} speaks of one {5}":
    "La facture {1} du vendeur {2} est enregistrée ici comme {3}, et le type {4} parle d'une facture {5}",
  "Invoice {1} of the same seller, number and year is recorded with another content":
    "La facture {1}, du même vendeur, du même numéro et de la même année, est enregistrée avec un autre contenu",
  "It is too much to be read: {1}": "C'est trop à lire : {1}",
  "No invoice {1}{2} of seller {3} is recorded here":
    "Aucune facture {1}{2} du vendeur {3} n'est enregistrée ici",
  "No key is free for invoice {1} of {2}": "Aucune clé n'est libre pour la facture {1} de {2}",
  "Refused as a duplicate, and it cannot be found out of what: {1}":
    "Refusée comme doublon, sans qu'on puisse savoir de quoi : {1}",
  "Refused without a reason": "Refusé sans motif",
  "Sent again": "Envoyée à nouveau",
  "The PA has it as flow {1}": "La PA l'a sous le flux {1}",
  "The PA holds it already as flow {1}: {2}": "La PA la détient déjà comme flux {1} : {2}",
  "The PA refused the flow without a reason": "La PA a refusé le flux sans motif",
  "The document was replaced before it was sent": "Le document a été remplacé avant son envoi",
  "The invoice has no number": "La facture n'a pas de numéro",
  "The PA listed something {1}": "La PA a listé quelque chose {1}",
  "The file with the root {1} contains no status of an invoice":
    "Le fichier, de racine {1}, ne contient aucun statut de facture",
  "The PA returned a web page instead of a status":
    "La PA a remis une page web au lieu d'un statut",
  "The sending of invoice {1} is not settled yet":
    "L'envoi de la facture {1} n'est pas encore conclu",
  "an unknown seller": "un vendeur inconnu",
  "issued": "émise",
  "received": "reçue",
  "without a usable flowId": "sans flowId utilisable",
  "without number": "sans numéro",

  // Calls of rules
  "HTTP {1}": "HTTP {1}",
  "The answer has no field {1}": "La réponse n'a pas de champ {1}",
  "The process stopped during the call; whether it took effect is not known":
    "Le processus s'est arrêté pendant l'appel ; on ne sait pas s'il a eu effet",
  "the call failed": "l'appel a échoué",
  "The answer broke off": "La réponse s'est interrompue",

  // Tasks and child processes
  "The task was quarantined because {1} processes died of it: {2}":
    "La tâche a été mise en quarantaine, car {1} processus en sont morts : {2}",
  "No consumer for task {1}": "Personne ne traite la tâche {1}",
  "The worker stopped in the middle of the task, each time it was tried":
    "Le processus de travail s'est arrêté au milieu de la tâche, à chaque essai",
  "an answer of another shape: {1}": "une réponse d'une autre forme : {1}",
  "another one needs its place": "un autre a besoin de sa place",
  "exit code {1}": "code de sortie {1}",
  "it broke down ({1}; a process may take {2} MB of memory)":
    "le processus s'est effondré ({1} ; il dispose de {2} Mo de mémoire)",
  "it cannot be read": "elle est illisible",
  "it closed its channel": "il a fermé son canal",
  "it floods its console": "il inonde sa console",
  "it took more than {1} s": "il a fallu plus de {1} s",
  "its work is done": "son travail est fait",
  "shutting down": "arrêt du produit",
  "the process ended, or stood still until its lease was over":
    "le processus s'est terminé, ou est resté immobile jusqu'à la fin de son bail",
  "the work was given up": "le travail a été abandonné",
  "too many of its processes{1} died lately; none is started for {2} s":
    "trop de ses processus{1} sont morts récemment ; aucun n'est démarré pendant {2} s",

  // What leads to a PA
  "the trial PA does not run; start the product with SANDBOX_PA=on, or enter the address of your platform":
    "la PA d'essai ne tourne pas ; démarrez le produit avec SANDBOX_PA=on, ou saisissez l'adresse de votre plateforme",
  "the address {1} does not begin with https://": "l'adresse {1} ne commence pas par https://",
  "enter the address of the service": "saisissez l'adresse du service",
  "give either the token, or the token address, the client and its secret":
    "indiquez soit le jeton, soit l'adresse des jetons, le client et son secret",
  "Missing": "À renseigner",
  "The connection to the PA is not set up: {1}": "La connexion à la PA n'est pas configurée : {1}",
  "The connection to the directory is not set up: {1}":
    "La connexion à l'annuaire n'est pas configurée : {1}",

  // What leads to mail and file servers
  "E-mail is not set up: {1}": "Le courriel n'est pas configuré : {1}",
  "enter the sender's address": "saisissez l'adresse de l'expéditeur",
  "the sender's address “{1}” is not an e-mail address":
    "l'adresse de l'expéditeur « {1} » n'est pas une adresse de courriel",
  "The file server is not set up: enter {1}":
    "Le serveur de fichiers n'est pas configuré : saisissez {1}",
  "its address": "son adresse",
  "the account": "le compte",
  "the fingerprint of its key": "l'empreinte de sa clé",
  "the account's password or private key": "le mot de passe du compte ou sa clé privée",
  "The call of {1} was interrupted by the end of this process; whether it took effect is not known":
    "L'appel de {1} a été interrompu par la fin de ce processus ; on ne sait pas s'il a eu effet",
  "The release does not belong to {1}: it uses none of {2}":
    "La publication ne relève pas de {1} : elle n'utilise aucun de {2}",

  // Tests of connections, and the company
  "Signed in at {1}, and read its flows": "Connexion à {1} réussie, et lecture de ses flux",
  "Enter the SIREN of your company first, on the page Company":
    "Saisissez d'abord le SIREN de votre société, dans la page Société",
  "The directory answered: {1}": "L'annuaire a répondu : {1}",
  "Enter the certificate of its authority": "Saisissez le certificat de son autorité",
  "Enter the mail server first": "Saisissez d'abord le serveur de courriel",
  "A test e-mail was sent to {1}": "Un courriel de test a été envoyé à {1}",
  "Signed in at {1}": "Connexion à {1} réussie",
  "the folder {1}": "le dossier {1}",
  "the home folder of the account": "le dossier d'accueil du compte",
  "{1}; {2} has no files": "{1} ; {2} ne contient aucun fichier",
  "{1}; {2} has one file": "{1} ; {2} contient un fichier",
  "{1}; {2} has {3} files": "{1} ; {2} contient {3} fichiers",
  "The SFTP server shows the key {1}: compare it with the fingerprint that its operator gave you, then enter it":
    "Le serveur SFTP présente la clé {1} : comparez-la avec l'empreinte communiquée par son exploitant, puis saisissez-la",
  "The SFTP server shows another key than the entered one: {1}":
    "Le serveur SFTP présente une autre clé que celle saisie : {1}",
  "The definition of the database is incomplete": "La définition de la base est incomplète",
  "The database {1} answered": "La base {1} a répondu",
  "No identity provider is configured": "Aucun fournisseur d'identité n'est configuré",
  "The identity provider {1} answered": "Le fournisseur d'identité {1} a répondu",
  "The language model {1} answered": "Le modèle de langage {1} a répondu",
  "A test of this connection is under way; try again when it has ended":
    "Un test de cette connexion est en cours ; réessayez quand il sera terminé",
  "Too many tests; try again in {1} s": "Trop de tests ; réessayez dans {1} s",
  "No answer within {1} s": "Aucune réponse en {1} s",
  "{1} is {2}, which is not of the SIREN {3}": "{1} vaut {2}, qui ne correspond pas au SIREN {3}",
  "the account that customers pay to": "le compte que vos clients créditent",
  "a SIREN: nine digits, of which the last is a check digit":
    "un SIREN : neuf chiffres, dont le dernier est une clé de contrôle",
  "a SIRET: fourteen digits, of which the last is a check digit":
    "un SIRET : quatorze chiffres, dont le dernier est une clé de contrôle",
  "a VAT number, for example FR40303265045": "un numéro de TVA, par exemple FR40303265045",
  "a country code of two capitals, for example FR":
    "un code pays de deux majuscules, par exemple FR",
  "an IBAN with its check digits, for example FR76 3000 6000 0112 3456 7890 189":
    "un IBAN avec sa clé de contrôle, par exemple FR76 3000 6000 0112 3456 7890 189",
  "The key of this VAT number is wrong: check the two characters after FR":
    "La clé de ce numéro de TVA est fausse : vérifiez les deux caractères après FR",
  "The check digits of this IBAN are wrong: check its digits":
    "La clé de contrôle de cet IBAN est fausse : vérifiez les chiffres",
  "You are using the trial PA: nothing reaches your customers":
    "Vous utilisez la PA d'essai : rien ne part chez vos clients",
  "Enter {1}": "Saisissez {1}",
  "This number does not belong to the SIREN {1}": "Ce numéro n'appartient pas au SIREN {1}",
  "an e-mail address, for example invoices@company.com":
    "une adresse de courriel, par exemple factures@societe.fr",
  "an address that begins with https://": "une adresse qui commence par https://",
  "Enter it again, because this changed: {1}": "Saisissez-le de nouveau, car ceci a changé : {1}",
  "Enter it again: the address has changed": "Saisissez-le de nouveau : l'adresse a changé",
  "a BIC of 8 or 11 characters, for example BNPAFRPP":
    "un BIC de 8 ou 11 caractères, par exemple BNPAFRPP",
  "the SIREN, or the SIREN with a suffix, for example 303265045_SALES":
    "le SIREN, ou le SIREN suivi d'un suffixe, par exemple 303265045_VENTES",
};
