/** French for the sentences about jobs: their definitions, runs and schedules. */
export const JOBS: Readonly<Record<string, string>> = {
  "Run {1} has ended already: it is {2}": "Le traitement {1} est déjà terminé : il est {2}",
  "More than {1} runs fit; name fewer": "Plus de {1} exécutions correspondent ; désignez-en moins",
  "{1} does not exist on {2}, when clocks are put forward: due at {3}":
    "{1} n'existe pas le {2}, où l'on passe à l'heure d'été : échéance à {3}",
  "{1} comes twice on {2}, when clocks are put back: due the first time only":
    "{1} revient deux fois le {2}, où l'on passe à l'heure d'hiver : échéance la première fois seulement",
  "from: a year from {1} to {2} is expected": "from : une année de {1} à {2} est attendue",
  "Run {1} is under way": "L'exécution {1} est en cours",
  "The job {1} has no step {2}": "Le travail {1} n'a pas d'étape {2}",
  "The job {1} has no step {2}; did you mean {3}?":
    "Le travail {1} n'a pas d'étape {2} ; vouliez-vous dire {3} ?",
  "The step {1} did not succeed in run {2}": "L'étape {1} n'a pas réussi dans l'exécution {2}",
  "the file {1}": "le fichier {1}",
  "the step {1}, whose output is taken over": "l'étape {1}, dont le résultat est repris",
  "A newer run takes its place: {1}": "Une exécution plus récente la remplace : {1}",
  "{1} runs of {2} wait already": "{1} exécutions de {2} attendent déjà",
  "A run of {1} is under way: {2}": "Une exécution de {1} est en cours : {2}",
  "Skipped: a run of {1} is under way: {2}": "Non lancée : une exécution de {1} est en cours : {2}",
  "Skipped: its condition does not hold": "Omise : sa condition n'est pas remplie",
  "Attempt {1} failed: {2}": "La tentative {1} a échoué : {2}",
  "Its worker was lost in the middle of it; whether it took effect is not known, and it is not done twice":
    "Son processus s'est perdu en plein milieu ; on ne sait pas si elle a eu effet, et elle n'est pas faite deux fois",
  "the jobs of a product that runs, and their runs":
    "les travaux d'un produit en marche, et leurs exécutions",
  "No product runs here: start it, or name its address with --url":
    "Aucun produit n'est en marche ici : démarrez-le, ou donnez son adresse avec --url",
  "--param {1}: NAME=VALUE is expected": "--param {1} : NOM=VALEUR est attendu",
  "Done": "Fait",
  "There are more rows; the rest was left out": "Il y a d'autres lignes ; le reste a été laissé",
  "Done: {1} rows": "Fait : {1} lignes",
  "The run was aborted": "L'exécution a été abandonnée",
  "Its worker stopped before it was done": "Son processus s'est arrêté avant la fin",
  "The step took longer than {1}": "L'étape a duré plus de {1}",
  "The run took longer than it may": "L'exécution a duré plus que permis",
  "The run is in other hands": "L'exécution est en d'autres mains",
  "An error nobody foresaw; the log has it": "Une erreur imprévue ; le journal la contient",
  "Item {1}: {2}": "Élément {1} : {2}",
  "Its worker stops": "Son processus s'arrête",
  "for_each: {1} is no list": "for_each : {1} n'est pas une liste",
  "for_each: {1} items; {2} are allowed": "for_each : {1} éléments ; {2} sont admis",
  "steps.{1}.rows has {2} rows; a value has {3} at most, for_each goes over all":
    "steps.{1}.rows compte {2} lignes ; une valeur en a {3} au plus, for_each les parcourt toutes",
  "Taken up again: the worker before was lost": "Reprise : le processus précédent s'est perdu",
  "Its worker was lost, again and again": "Son processus s'est perdu, encore et encore",
  "{1} lines are left out here: no more than {2} are kept in {3} ms":
    "{1} lignes sont omises ici : pas plus de {2} ne sont gardées en {3} ms",
  "The step that started it no longer waits for it": "L'étape qui l'a lancée ne l'attend plus",
  "the parameter {1} of run {2}, which is taken over":
    "le paramètre {1} de l'exécution {2}, qui est repris",
  "Your {1} differs from the value used for {2}":
    "Votre {1} diffère de la valeur utilisée pour {2}",
  "You have {1} live streams, sockets and followed logs open here: close some":
    "Vous avez ici {1} flux, connexions et journaux suivis ouverts : fermez-en",
  "a step of the job": "une étape du travail",
  "{1} reads: a step of kind query does": "{1} lit : une étape de type query le fait",
  "There is no section {1}; {2} or all": "Il n'y a pas de section {1} ; {2} ou all",
  "The run {1} of {2} begins": "L'exécution {1} de {2} commence",
  "The run {1} of {2} is {3}": "L'exécution {1} de {2} est {3}",
  "Nobody of {1} has an e-mail address": "Personne parmi {1} n'a d'adresse de courriel",
  "The download {1} is not done yet": "Le téléchargement {1} n'est pas encore terminé",
  "{1} is no time zone": "{1} n'est pas un fuseau horaire",
  "the minute": "la minute",
  "the hour": "l'heure",
  "the day of the month": "le jour du mois",
  "the month": "le mois",
  "the day of the week": "le jour de la semaine",
  "{1} is {2} to {3}, not {4}": "{1} va de {2} à {3}, pas {4}",
  "A text of more than {1} characters": "Un texte de plus de {1} caractères",
  "Values of more than {1} characters in all": "Des valeurs de plus de {1} caractères en tout",
  "A list cannot be compared": "Une liste ne se compare pas",
  "Nothing can be divided by 0": "La division par 0 est impossible",
  "A number of {1} digits; {2} are allowed": "Un nombre de {1} chiffres ; {2} sont admis",
  "{1} is no number": "{1} n'est pas un nombre",
  "stands deeper than {1} levels": "dépasse {1} niveaux",
  "has more than {1} parts": "compte plus de {1} parties",
  "ends where {1} is expected": "se termine où {1} est attendu",
  "ends too early": "se termine trop tôt",
  "{1} is expected at character {2}, not {3}": "{1} est attendu au caractère {2}, pas {3}",
  "{1} is not expected at character {2}": "{1} n'est pas attendu au caractère {2}",
  "id {1} stands here twice": "id {1} figure ici deux fois",
  "{1} stands for something else already": "{1} désigne déjà autre chose",
  "the step {1} comes later": "l'étape {1} vient plus tard",
  "there is no {1} here": "il n'y a pas de {1} ici",
  "there is no {1} here; did you mean {2}?": "il n'y a pas de {1} ici ; vouliez-vous dire {2} ?",
  "No job can be called {1}: {2} begins the names of what document templates do":
    "Aucun travail ne peut s'appeler {1} : {2} commence les noms de ce que font les modèles de document",
  "{1} may do what you may not: {2}; only a user who holds it may change what runs in that name":
    "{1} peut ce que vous ne pouvez pas : {2} ; seul un utilisateur qui le détient peut modifier ce qui s'exécute à ce nom",
  "The job {1} acts as {2}, and nobody is its author: a user who holds what {3} holds must change and save it":
    "Le travail {1} agit au nom de {2}, mais il n'a pas d'auteur : un utilisateur qui détient les mêmes droits que {3} doit le modifier et l'enregistrer",
  "The job {1} acts as {2}, and its author {3} has no active account: a user who holds what {4} holds must change and save it":
    "Le travail {1} agit au nom de {2}, mais son auteur {3} n'a pas de compte actif : un utilisateur qui détient les mêmes droits que {4} doit le modifier et l'enregistrer",
  "The job {1} acts as {2}, and its author {3} does not hold {4}: a user who holds it must change and save the job":
    "Le travail {1} agit au nom de {2}, mais son auteur {3} ne détient pas {4} : un utilisateur qui le détient doit modifier et enregistrer le travail",
  "There is no active user {1}, in whose name the job {2} would act":
    "Il n'y a pas d'utilisateur actif {1}, au nom de qui le travail {2} agirait",
  "The permission {1} is needed for {2}, and nobody's name is given in run_as":
    "La permission {1} est nécessaire pour {2}, et run_as ne nomme personne",
};
