import { ASSISTANT } from "./french/assistant.ts";
import { CALLS } from "./french/calls.ts";
import { CATALOGUE } from "./french/catalogue.ts";
import { COMMANDS } from "./french/commands.ts";
import { DATABASES } from "./french/databases.ts";
import { DOCTOR } from "./french/doctor.ts";
import { INVITATIONS } from "./french/invitations.ts";
import { JOBS } from "./french/jobs.ts";
import { OUTCOMES } from "./french/outcomes.ts";
import { PROBLEMS } from "./french/problems.ts";
import { SCREENS } from "./french/screens.ts";
import { SETTINGS } from "./french/settings.ts";

/** French texts of the API's refusals, by the English sentence with its values numbered. */
export const FRENCH: Readonly<Record<string, string>> = {
  ...ASSISTANT,
  ...CALLS,
  ...CATALOGUE,
  ...COMMANDS,
  ...DATABASES,
  ...DOCTOR,
  ...INVITATIONS,
  ...JOBS,
  ...OUTCOMES,
  ...PROBLEMS,
  ...SCREENS,
  ...SETTINGS,

  // Sign-in, users, roles
  "A refresh token is needed, in the body or the cookie":
    "Un jeton de renouvellement est nécessaire, dans le corps ou le cookie",
  "A role named {1} exists already": "Un rôle nommé {1} existe déjà",
  "A user named {1} exists already": "Un utilisateur nommé {1} existe déjà",
  "An ID token of the identity provider is needed as password":
    "Le mot de passe attendu est un jeton d'identité du fournisseur d'identité",
  "Invoice {1} of the file, which begins at line {2}, cannot be read. {3} (byte {4} of the file, line {5}). Correct the file there; the other invoices are not affected":
    "La facture {1} du fichier, qui commence à la ligne {2}, est illisible. {3} (octet {4} du fichier, ligne {5}). Corrigez le fichier à cet endroit ; les autres factures ne sont pas concernées",
  "Invoice {1} of the file, which begins at line {2}, cannot be read. The character reference {3} is not allowed in XML (line {4}). Correct the file there; the other invoices are not affected":
    "La facture {1} du fichier, qui commence à la ligne {2}, est illisible. La référence de caractère {3} n'est pas admise en XML (ligne {4}). Corrigez le fichier à cet endroit ; les autres factures ne sont pas concernées",
  "No identity provider is configured": "Aucun fournisseur d'identité n'est configuré",
  "No identity provider is configured: OIDC_ISSUER, OIDC_CLIENT_ID and PUBLIC_URL":
    "Aucun fournisseur d'identité n'est configuré : OIDC_ISSUER, OIDC_CLIENT_ID et PUBLIC_URL",
  "No sign-in was begun in this browser, or more than ten minutes ago":
    "Aucune connexion n'a été commencée dans ce navigateur depuis moins de dix minutes",
  "The ID token is expired or not valid": "Le jeton d'identité est périmé ou non valable",
  "The ID token names neither issuer nor subject":
    "Le jeton d'identité ne nomme ni émetteur ni sujet",
  "The ID token was issued to another client":
    "Le jeton d'identité a été émis pour un autre client",
  "The account cannot be used": "Le compte ne peut pas être utilisé",
  "The built-in role {1} cannot be inherited": "Le rôle intégré {1} ne peut pas être hérité",
  "The built-in role {1} stays as it is": "Le rôle intégré {1} reste tel quel",
  "The cookie was sent by a page of another site":
    "Le cookie a été envoyé par une page d'un autre site",
  "The identity provider lists too many groups to put them into its token":
    "Le fournisseur d'identité liste trop de groupes pour les mettre dans son jeton",
  "The identity provider names no authorization endpoint":
    "Le fournisseur d'identité ne nomme pas de point d'autorisation",
  "The identity provider publishes no keys": "Le fournisseur d'identité ne publie pas de clés",
  "The inheritance would form a cycle: {1}": "L'héritage formerait un cycle : {1}",
  "The name {1} belongs to another account": "Le nom {1} appartient à un autre compte",
  "The password has more than {1} characters": "Le mot de passe dépasse {1} caractères",
  "The password was changed meanwhile": "Le mot de passe a été changé entre-temps",
  "The refresh token is used, expired or not valid":
    "Le jeton de renouvellement est déjà utilisé, périmé ou non valable",
  "The role {1} has {2} member{3}": "Le rôle {1} a {2} membre{3}",
  "The role {1} is inherited by {2}": "Le rôle {1} est hérité par {2}",
  "The role {1} is of callers without a token": "Le rôle {1} est celui des appels sans jeton",
  "The token is expired, revoked or not valid": "Le jeton est périmé, révoqué ou non valable",
  "The username or the password is wrong": "Le nom d'utilisateur ou le mot de passe est incorrect",
  "There are no users in the pool {1}": "Il n'y a pas d'utilisateurs dans la base {1}",
  "There is no role {1}": "Il n'existe pas de rôle {1}",
  "Too many attempts to sign in; wait {1} s": "Trop de tentatives de connexion ; attendez {1} s",
  "Too many sign-ins at once; try again in a moment":
    "Trop de connexions en même temps ; réessayez dans un instant",
  "{1} cannot be a username": "{1} ne peut pas être un nom d'utilisateur",
  "{1} cannot be a username: letters, digits and . _ @ + -":
    "{1} ne peut pas être un nom d'utilisateur : lettres, chiffres et . _ @ + -",
  "{1} cannot be the name of a role: up to 63 letters, digits, spaces and . _ -, of which the first is a letter or a digit":
    "{1} ne peut pas être le nom d'un rôle : jusqu'à 63 lettres, chiffres, espaces et . _ -, le premier étant une lettre ou un chiffre",
  "{1} is a role of the product": "{1} est un rôle du produit",
  "{1} is the last active administrator": "{1} est le dernier administrateur actif",
  "{1} needs {2}, which you do not hold yourself": "{1} demande {2}, que vous n'avez pas vous-même",

  // Templates, rules of notification, connectors, queries
  "A parameter cannot be {1} in this address":
    "Un paramètre ne peut pas être {1} dans cette adresse",
  "A template named {1} exists already": "Un modèle nommé {1} existe déjà",
  "Delivery {1} is a call within a chain, whose outcome stands":
    "La notification {1} est un appel d'une chaîne, dont le résultat est acquis",
  "Delivery {1} is {2}; only a dead, failed or waiting one is replayed":
    "La notification {1} est {2} ; seule une notification morte, en échec ou en attente est rejouée",
  "Delivery {1} is being attempted right now": "La notification {1} est en cours d'envoi",
  "System templates are given: {1}; {2} cannot be added":
    "Les modèles système sont donnés : {1} ; {2} ne peut pas être ajouté",
  "Template {1} cannot become a system template":
    "Le modèle {1} ne peut pas devenir un modèle système",
  "Template {1} is of type {2}; processing needs a document template":
    "Le modèle {1} est de type {2} ; le traitement demande un modèle de document",
  "Template {1} names no stylesheet in its property transform":
    "Le modèle {1} ne nomme pas de feuille de style dans sa propriété transform",
  "The body of the endpoint is no JSON": "Le corps du point d'accès n'est pas du JSON",
  "The body would have more than {1} characters": "Le corps dépasserait {1} caractères",
  "The connector has no property {1}, which it refers to":
    "Le connecteur n'a pas la propriété {1} à laquelle il se réfère",
  "The connector {1} cannot be used: {2}": "Le connecteur {1} est inutilisable : {2}",
  "The header {1} would hold a character it may not":
    "L'en-tête {1} contiendrait un caractère interdit",
  "The host {1}:{2} is not among the hosts of this connector":
    "L'hôte {1}:{2} n'est pas parmi ceux de ce connecteur",
  "The parameter {1} has more than {2} characters": "Le paramètre {1} dépasse {2} caractères",
  "The parameter {1} is missing": "Le paramètre {1} manque",
  "The parameter {1} is no text": "Le paramètre {1} n'est pas un texte",
  "The parameters do not make an address": "Les paramètres ne forment pas une adresse",
  "The query {1} is no text": "La requête {1} n'est pas un texte",
  "The result of {1} is larger than {2} bytes": "Le résultat de {1} dépasse {2} octets",
  "The rule {1} cannot be saved: {2}": "La règle {1} ne peut pas être enregistrée : {2}",
  "The secret of {1} cannot be opened: SECRET_KEY is not the one it was sealed with":
    "Le secret de {1} ne s'ouvre pas : SECRET_KEY n'est pas celle qui l'a scellé",
  "The stylesheet {1} of template {2} is not inside {3}":
    "La feuille de style {1} du modèle {2} n'est pas dans {3}",
  "The system template {1} cannot be deleted": "Le modèle système {1} ne peut pas être supprimé",
  "The system template {1} cannot be renamed to {2}":
    "Le modèle système {1} ne peut pas être renommé {2}",
  "The system template {1} cannot become of type {2}":
    "Le modèle système {1} ne peut pas devenir de type {2}",
  "There is no connector {1} you may call":
    "Il n'existe pas de connecteur {1} que vous puissiez appeler",
  "There is no parameter {1}; there are: {2}": "Il n'existe pas de paramètre {1} ; il y a : {2}",
  "There is no pool {1}; define it in the section pools of the settings":
    "Il n'existe pas de base {1} ; définissez-la dans la section pools du paramétrage",
  "There is no {1}": "Il n'existe pas de {1}",
  "There would be {1} queries; {2} are allowed": "Il y aurait {1} requêtes ; {2} sont admises",
  "there is no rule set {1}; there are {2}": "il n'existe pas de jeu de règles {1} ; il y a {2}",
  "{1} did not answer within {2} s": "{1} n'a pas répondu en {2} s",
  "{1} cannot be reached ({2})": "{1} est injoignable ({2})",
  "{1} does not hold {2}": "{1} n'a pas {2}",
  "{1} {2}: enter {3} again": "{1} {2} : saisissez à nouveau {3}",
  "The address is not one of http or https without credentials":
    "L'adresse n'est pas une adresse http ou https sans identifiants",
  "The answer cannot be unpacked": "La réponse ne peut pas être décompressée",
  "The answer is cut short": "La réponse est tronquée",
  "The answer is larger than {1} bytes": "La réponse dépasse {1} octets",
  "The answer is packed in a way that was not asked for":
    "La réponse est compressée d'une façon qui n'a pas été demandée",

  // Databases of others
  "The connection to the database was lost": "La connexion à la base de données est perdue",
  "The database refuses the statement ({1}): {2}": "La base refuse l'instruction ({1}) : {2}",
  "The list took longer than {1} s: add filters, or sort by date":
    "La liste a mis plus de {1} s : ajoutez des filtres ou triez par date",
  "The statement took longer than {1} s": "L'instruction a duré plus de {1} s",

  // Files and uploads
  "A folder above {1} is being changed all the time":
    "Un dossier au-dessus de {1} change sans cesse",
  "The content for {1} is no text": "Le contenu pour {1} n'est pas un texte",
  "The content of {1} is not that of a .{2} file":
    "Le contenu de {1} n'est pas celui d'un fichier .{2}",
  "The data folder {1} is in use by another process":
    "Le dossier de données {1} est utilisé par un autre processus",
  "The file {1} does not exist": "Le fichier {1} n'existe pas",
  "The file {1} holds no invoice": "Le fichier {1} ne contient pas de facture",
  "The file {1} is empty": "Le fichier {1} est vide",
  "The name of {1}… is too long": "Le nom de {1}… est trop long",
  "The folder {1} cannot be created: use letters, digits, spaces and ordinary signs, without a dot or a space at the end":
    "Le dossier {1} ne peut pas être créé : utilisez des lettres, des chiffres, des espaces et des signes ordinaires, sans point ni espace à la fin",
  "The path {1} has a backslash or a control character: separate folders by /":
    "Le chemin {1} contient une barre oblique inverse ou un caractère de contrôle : séparez les dossiers par /",
  "The path {1} has a name of {2} bytes; {3} are allowed":
    "Le chemin {1} contient un nom de {2} octets ; {3} sont permis",
  "The path {1} has {2} characters; {3} are allowed":
    "Le chemin {1} a {2} caractères ; {3} sont permis",
  "The path {1} is not inside the data folder":
    "Le chemin {1} n'est pas dans le dossier de données",
  "The upload of {1} is empty": "Le fichier envoyé {1} est vide",
  "There is no room for further files": "Il n'y a pas de place pour d'autres fichiers",
  "There is no room to write {1}": "Il n'y a pas de place pour écrire {1}",
  "{1} cannot be a file name here: letters, digits, spaces and . _ ( ) + , = @ -, the first a letter, a digit or _, the last neither a dot nor a space":
    "{1} ne peut pas être un nom de fichier ici : lettres, chiffres, espaces et . _ ( ) + , = @ -, le premier étant une lettre, un chiffre ou _, le dernier ni un point ni un espace",
  "{1} cannot be a file name here: letters, digits, spaces and . _ ( ) -, the first a letter or a digit, the last neither a dot nor a space":
    "{1} ne peut pas être un nom de fichier ici : lettres, chiffres, espaces et . _ ( ) -, le premier étant une lettre ou un chiffre, le dernier ni un point ni un espace",
  "{1} cannot be copied onto itself": "{1} ne peut pas être copié sur lui-même",
  "{1} cannot be used ({2})": "{1} est inutilisable ({2})",
  "The file name {1} has {2} bytes; {3} are allowed":
    "Le nom de fichier {1} fait {2} octets ; {3} sont permis",
  "{1} exceeds what {2} may upload in a day": "{1} dépasse ce que {2} peut envoyer en un jour",
  "{1} exists and is not a file": "{1} existe et n'est pas un fichier",
  "{1} has {2} bytes; {3} are allowed here": "{1} a {2} octets ; {3} sont admis ici",
  "{1} is being written at this moment": "{1} est en cours d'écriture",
  "{1} is not UTF-8": "{1} n'est pas en UTF-8",
  "{1} is not a UTF-8 text file": "{1} n'est pas un fichier texte en UTF-8",
  "{1} is not a file": "{1} n'est pas un fichier",
  "{1} is not a folder": "{1} n'est pas un dossier",
  "{1} is not of the kind asked for ({2})": "{1} n'est pas du genre demandé ({2})",
  "{1} may have {2} bytes at most": "{1} peut avoir {2} octets au plus",
  "{1}: files here end with {2}": "{1} : ici, les fichiers se terminent par {2}",
  "{1}: uploads end with {2}": "{1} : les fichiers envoyés se terminent par {2}",
  "A zip may hold {1} files and {2} bytes at most":
    "Un zip peut contenir {1} fichiers et {2} octets au plus",
  "This is not a readable zip: its directory lists other files":
    "Ce zip est illisible : son répertoire liste d'autres fichiers",
  "This is not a readable zip: {1}": "Ce zip est illisible : {1}",

  // Processing and extraction
  "Invoice {1}: {2}": "Facture {1} : {2}",
  "Invoice {1} has no stored UBL": "La facture {1} n'a pas d'UBL enregistré",
  "Invoice {1} is of the profile EXTENDED-CTC-FR; Factur-X is made of EN 16931 documents only":
    "La facture {1} est du profil EXTENDED-CTC-FR ; Factur-X n'existe que pour EN 16931",
  "Invoice {1} is recorded already; it is replaced on request only":
    "La facture {1} est déjà enregistrée ; elle n'est remplacée que sur demande",
  "Shutting down: the processes for {1} are closed":
    "Arrêt en cours : les processus pour {1} sont fermés",
  "The ERP file {1} needs a template that says how it is transformed":
    "Le fichier ERP {1} demande un modèle qui dit comment le transformer",
  "The SFTP server broke off": "Le serveur SFTP s'est interrompu",
  "The SFTP server gives no access to {1}": "Le serveur SFTP refuse l'accès à {1}",
  "The SFTP server has no file of report {1}, job {2}":
    "Le serveur SFTP n'a pas de fichier du rapport {1}, travail {2}",
  "The SFTP server {1} does not answer as one": "Le serveur SFTP {1} ne répond pas comme tel",
  "The SFTP server {1} offers only algorithms that are too weak":
    "Le serveur SFTP {1} n'offre que des algorithmes trop faibles",
  "The SFTP server {1} refuses to sign in {2}": "Le serveur SFTP {1} refuse de connecter {2}",
  "The SFTP server {1}:{2} cannot be reached ({3}): check its address and port":
    "Le serveur SFTP {1}:{2} est injoignable ({3}) : vérifiez son adresse et son port",
  "The XML schema {1} does not compile: {2}": "Le schéma XML {1} ne se compile pas : {2}",
  "The connection to {1} was lost": "La connexion à {1} est perdue",
  "The document at line {1} has {2} bytes; {3} are allowed":
    "Le document à la ligne {1} a {2} octets ; {3} sont admis",
  "The file grows while it is fetched": "Le fichier grandit pendant qu'il est lu",
  "The file was cut off after {1} of {2} bytes": "Le fichier est coupé après {1} octets sur {2}",
  "The file {1} became shorter while it was processed":
    "Le fichier {1} a raccourci pendant son traitement",
  "The template global names no bipPool, the pool of the report publisher's tables":
    "Le modèle global ne nomme pas bipPool, la base des tables de l'éditeur de rapports",
  "The template of this run was deleted": "Le modèle de ce traitement a été supprimé",
  "The worker stops": "Le processus de travail s'arrête",
  "The {1} of job {2} has {3} bytes; {4} are allowed":
    "Le {1} du travail {2} a {3} octets ; {4} sont admis",
  "The {1} of job {2} is empty, or its column content is no BLOB":
    "Le {1} du travail {2} est vide, ou sa colonne content n'est pas un BLOB",
  "There is no XML schema for {1}": "Il n'existe pas de schéma XML pour {1}",
  "There is no {1} of job {2}, report {3}": "Il n'existe pas de {1} du travail {2}, rapport {3}",
  "What job {1} made is no PDF": "Ce que le travail {1} a produit n'est pas un PDF",
  "sftpHostKey holds no host key: SHA256:… or a public key is expected":
    "sftpHostKey ne contient pas de clé d'hôte : SHA256:… ou une clé publique est attendue",
  "the system template {1}": "le modèle système {1}",
  "{1} of the template {2} is {3}; expected {4}": "{1} du modèle {2} vaut {3} ; attendu : {4}",
  "Invoice {1} does not wait for an answer (status {2})":
    "La facture {1} n'attend pas de réponse (statut {2})",
  "The file {1} is one invoice: only selects a document of an ERP file":
    "Le fichier {1} est une seule facture : only choisit un document d'un fichier de l'ERP",
  "The file {1} does not contain invoice {2}": "Le fichier {1} ne contient pas la facture {2}",
  "expected <doc>-<dct>-<kco>": "<doc>-<dct>-<kco> est attendu",
  "Nothing is left to collect of invoice {1}": "Il ne reste rien à encaisser sur la facture {1}",
  "The document of invoice {1} cannot be read": "Le document de la facture {1} est illisible",
  "The document is too long for a page: {1}": "Le document est trop long pour une page : {1}",
  "sftpPrivateKey cannot be read": "sftpPrivateKey est illisible",
  "the root element {{1}}{2} is neither a UBL Invoice nor a UBL CreditNote":
    "l'élément racine {{1}}{2} n'est ni une Invoice ni une CreditNote d'UBL",
  "{1} (line {2}, column {3} of {4})": "{1} (ligne {2}, colonne {3} de {4})",
  "{1} changed while it was fetched": "{1} a changé pendant sa lecture",
  "{1} is being processed already": "{1} est déjà en traitement",
  "{1} is no host": "{1} n'est pas un hôte",
  "{1} of the template global has the unknown parameter :{2}; use {3}":
    "{1} du modèle global contient le paramètre inconnu :{2} ; utilisez {3}",
  "{1} of the template global: {2}": "{1} du modèle global : {2}",

  // Sending, statuses, the PA, directory and registry
  "Action {1} is unknown; there are {2}": "L'action {1} est inconnue ; il y a {2}",
  "Address of {1} is not an http or https address without credentials":
    "L'adresse de {1} n'est pas une adresse http ou https sans identifiants",
  "The status history of invoice {1}": "L'historique des statuts de la facture {1}",
  "Another status of invoice {1} is on its way to the PA":
    "Un autre statut de la facture {1} est en route vers la PA",
  "Flow {1} is that of another sending": "Le flux {1} est celui d'un autre envoi",
  "Flow {1} stays in quarantine: {2}": "Le flux {1} reste en quarantaine : {2}",
  "Identifier {1} is not <scheme>:<number>": "L'identifiant {1} n'est pas <schéma>:<numéro>",
  "Invoice {1} has fatal findings ({2}); it cannot be sent before it is corrected":
    "La facture {1} a des anomalies bloquantes ({2}) ; elle doit être corrigée avant l'envoi",
  "Invoice {1} was received, it cannot be sent": "La facture {1} a été reçue, elle ne s'envoie pas",
  "No PA is configured: the template e-invoicing names none":
    "Aucune PA n'est configurée : le modèle e-invoicing n'en nomme pas",
  "Scheme {1} is not 0002 (SIREN), 0009 (SIRET) or 0225 (address)":
    "Le schéma {1} n'est pas 0002 (SIREN), 0009 (SIRET) ou 0225 (adresse)",
  "Sending number {1} of this invoice is under way ({2})":
    "L'envoi numéro {1} de cette facture est en cours ({2})",
  "Status message {1} is {2}: there is nothing to replay":
    "Le message de statut {1} est {2} : il n'y a rien à rejouer",
  "Status name {1} is unknown; there are {2}": "Le statut {1} est inconnu ; il y a {2}",
  "Status {1} of invoice {2} makes no valid lifecycle message: {3}":
    "Le statut {1} de la facture {2} ne donne pas de message de cycle de vie valable : {3}",
  "Submission {1} is {2}: there is nothing to replay":
    "L'envoi {1} est {2} : il n'y a rien à rejouer",
  "The call is not signed by the PA, or too old":
    "L'appel n'est pas signé par la PA, ou trop ancien",
  "The company registry answered HTTP {1} without results":
    "Le registre des entreprises a répondu HTTP {1} sans résultat",
  "The company registry asks for a pause": "Le registre des entreprises demande une pause",
  "The company registry did not answer": "Le registre des entreprises n'a pas répondu",
  "The company registry refuses the search: {1}":
    "Le registre des entreprises refuse la recherche : {1}",
  "A search text of 1 to 300 characters is needed, not {1}":
    "Un texte de 1 à 300 caractères est attendu, pas {1}",
  "Too many registry searches at once": "Trop de recherches au registre en même temps",
  "{1} returned no signing key, so its calls could not be verified":
    "{1} n'a pas fourni de clé de signature : ses appels ne seraient pas vérifiables",
  "{1} names no flow that could be read again: {2}":
    "{1} ne nomme aucun flux qui puisse être relu : {2}",
  "{1} {2} is not {3} digits": "{1} {2} n'a pas {3} chiffres",

  // Mail
  "The conversation has {1} characters; {2} are allowed":
    "La conversation a {1} caractères ; {2} sont admis",
  "invoiceId: {1} is not <doc>-<dct>-<kco>": "invoiceId : {1} n'est pas <doc>-<dct>-<kco>",
  "subject: line breaks and control characters are not allowed":
    "subject : sauts de ligne et caractères de contrôle sont interdits",
  "to: an address is needed": "to : une adresse est nécessaire",
  "{1} is no address": "{1} n'est pas une adresse",
  "{1} recipients; {2} are allowed": "{1} destinataires ; {2} sont admis",
  "{1}: {2} is no address": "{1} : {2} n'est pas une adresse",

  // Rule sets
  "A release may hold {1} files and {2} bytes of text at most":
    "Une publication peut contenir {1} fichiers et {2} octets de texte au plus",
  "The entry {1} is not in the release, which holds {2}":
    "L'entrée {1} n'est pas dans la publication, qui contient {2}",
  "The files of {1} {2} are not stored": "Les fichiers de {1} {2} ne sont pas conservés",
  "The release cannot be compiled: {1}": "La publication ne se compile pas : {1}",
  "The release holds no {1}: give its id and its version":
    "La publication ne contient pas de {1} : donnez son identifiant et sa version",
  "The release {1} {2} cannot judge: {3}": "La publication {1} {2} ne peut pas juger : {3}",
  "The rule set {1}": "Le jeu de règles {1}",
  "The rule set {1} has no rule {2}": "Le jeu de règles {1} n'a pas de règle {2}",
  "The schema {1} holds no rule": "Le schéma {1} ne contient pas de règle",
  "The zip holds {1} twice": "Le zip contient {1} deux fois",
  "The zip names a path outside itself: {1}": "Le zip nomme un chemin hors de lui-même : {1}",
  "Version {1} of {2} is installed with other files; a changed release needs another version":
    "La version {1} de {2} est installée avec d'autres fichiers ; une publication changée demande une autre version",
  "expires: {1} is further away than the {2} days an override may last":
    "expires : {1} dépasse les {2} jours qu'une dérogation peut durer",
  "expires: {1} is over": "expires : {1} est passé",
  "{1} is not a JSON object: {2}": "{1} n'est pas un objet JSON : {2}",

  // Added with what refuses
  "{1} exceeds what {2} may add in a day": "{1} dépasse ce que {2} peut ajouter en une journée",
  "A copy of {1} exceeds what {2} may add in a day":
    "Une copie de {1} dépasse ce que {2} peut ajouter en un jour",
  "ADMIN_PASSWORD: {1}": "ADMIN_PASSWORD : {1}",
  "Invoice {1} has no document": "La facture {1} n'a pas de document",
  "Only status 212 takes a payment, not {1}":
    "Seul le statut 212 prend un encaissement, pas le statut {1}",
  "The PA may take the payments of invoice {1}: report them with target pa":
    "La PA peut prendre les encaissements de la facture {1} : déclarez-les avec target pa",
  "Invoice {1} has no stored document": "La facture {1} n'a pas de document enregistré",
  "Migration {1}_{2} is missing in the database, which is at {3} already: it needs a higher number":
    "La migration {1}_{2} manque dans la base, déjà à la version {3} : il lui faut un numéro plus élevé",
  "Migration {1}_{2} was changed after it was applied (sha256 {3}, applied {4})":
    "La migration {1}_{2} a changé après avoir été appliquée (sha256 {3}, appliquée {4})",
  "This database is at version {1}, which this release cannot migrate: start the last version before 0.1.0 once, which migrates it to {2}, then start this one":
    "Cette base est à la version {1}, que cette version du produit ne peut pas migrer : démarrez une fois la dernière version avant la 0.1.0, qui la migre à {2}, puis démarrez celle-ci",
  "Neither the original ({1}) nor its conversion is an invoice that can be read: {2}":
    "Ni l'original ({1}) ni sa conversion ne sont une facture lisible : {2}",
  "SECRET_KEY is needed where several processes share a database":
    "SECRET_KEY est nécessaire là où plusieurs processus partagent une base",
  "The PDF cannot be opened within its limits: {1}":
    "Le PDF ne peut pas être ouvert dans ses limites : {1}",
  "The body {1}": "Le corps de la requête {1}",
  "The answer {1}": "La réponse {1}",
  "has more than {1} values": "a plus de {1} valeurs",
  "is nested deeper than {1}": "a plus de {1} niveaux",
  "The permission {1} is missing for {2}": "La permission {1} manque pour {2}",
  "A poll of the PA is running already; its results are recorded continuously":
    "La PA est déjà en cours de lecture ; les résultats sont enregistrés au fur et à mesure",
  "The query {1} cannot be saved: {2}": "La requête {1} ne peut pas être enregistrée : {2}",
  "The result is larger than {1} bytes": "Le résultat dépasse {1} octets",
  "The template {1} of this run was deleted": "Le modèle {1} de ce traitement a été supprimé",
  "Version {1} cannot be undone": "La version {1} ne peut pas être défaite",
  "the root element {{1}}{2} is not a CrossIndustryInvoice":
    "l'élément racine {{1}}{2} n'est pas une CrossIndustryInvoice",
  "There is no property {1}; did you mean {2}?":
    "Il n'y a pas de propriété {1} ; vouliez-vous dire {2} ?",
  "{1} has {2} answers under way; try again": "{1} a {2} réponses en cours ; réessayez",
  "The language model's answer has no end": "La réponse du modèle de langage n'a pas de fin",
  "secrets: {1} is no secret": "secrets : {1} n'est pas un secret",
  "secrets: there is no property {1}": "secrets : il n'y a pas de propriété {1}",
  "secrets: there is no property {1}; did you mean {2}?":
    "secrets : il n'y a pas de propriété {1} ; vouliez-vous dire {2} ?",
  "there is no pool {1}; define it in the section pools of the settings":
    "il n'y a pas de base {1} ; définissez-la dans la section pools du paramétrage",
  "there is no pool {1}; did you mean {2}?": "il n'y a pas de pool {1} ; vouliez-vous dire {2} ?",
  "{1} does not exist; use {2}": "{1} n'existe pas ; utilisez {2}",
  "protocol: {1} does not exist; use {2}": "protocol : {1} n'existe pas ; utilisez {2}",
  "there is no built-in stylesheet {1}": "il n'existe pas de feuille de style fournie {1}",
  "there is no stylesheet {1} in the data folder":
    "il n'existe pas de feuille de style {1} dans le dossier de données",
  "{1} was changed meanwhile: it is {2}, not {3}":
    "{1} a changé entre-temps : la version est {2}, pas {3}",
};
