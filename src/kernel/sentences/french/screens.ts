/** The same for screens, their locks and exports, charts and dashboards. */
export const SCREENS: Readonly<Record<string, string>> = {
  "{1} {2}: {3}": "{1} {2} : {3}",
  "The screen {1} reads the query {2}, which is not there or writes":
    "L'écran {1} lit la requête {2}, qui n'existe pas ou qui écrit",
  "no filter of {1} is {2}": "{1} n'admet pas de filtre {2}",
  "no parameter of {1} is {2}": "{1} n'a pas de paramètre {2}",
  "{1} is not sorted by {2}": "{1} ne se trie pas par {2}",
  "{1} is a query that writes, and {2} reads": "{1} attend une requête qui écrit, et {2} lit",
  "{1} writes, and what is shown is only read": "{1} écrit, et ce qui est montré est seulement lu",
  "{1} has no parameter {2}, a part of the screen's key":
    "{1} n'a pas de paramètre {2}, qui fait partie de la clé de l'écran",
  "{1} is compared before {2}: the dialog needs a query that reads, or a grid that is filtered by the key":
    "{1} est comparé avant {2} : le dialogue a besoin d'une requête qui lit, ou d'une grille filtrée par la clé",
  "{1} holds {2} records already": "{1} tient déjà {2} enregistrements",
  "{1} is working on this record": "{1} travaille sur cet enregistrement",
  "key: there is no {1}; did you mean {2}?": "key : il n'y a pas de {1} ; vouliez-vous dire {2} ?",
  "key.{1} is missing": "key.{1} manque",
  "key.{1}: a text or a number is expected": "key.{1} : un texte ou un nombre est attendu",
  "key.{1}: {2} {3}": "key.{1} : {2} {3}",
  "key.{1}: has more than {2} characters": "key.{1} : dépasse {2} caractères",
  "key: is no JSON: {1}": "key : n'est pas du JSON : {1}",
  "The screen {1} locks no records": "L'écran {1} ne verrouille pas d'enregistrements",
  "The record is not there any more": "L'enregistrement n'existe plus",
  "The screen {1} reads no column {2}, the version of its records":
    "L'écran {1} ne lit pas de colonne {2}, la version de ses enregistrements",
  "The record was changed meanwhile: {1} is {2}, not {3}":
    "L'enregistrement a changé entre-temps : {1} vaut {2}, pas {3}",
  "panel {1}: the dashboard has no parameter {2}":
    "panneau {1} : le tableau de bord n'a pas de paramètre {2}",
  "{1}; did you mean {2}?": "{1} ; vouliez-vous dire {2} ?",
  "The chart {1} reads the query {2}, which is not there or writes":
    "Le graphique {1} lit la requête {2}, qui n'existe pas ou qui écrit",
  "The pool {1} has as many exports under way as it takes at once; try again":
    "Le pool {1} a autant d'exports en cours qu'il en prend à la fois ; réessayez",
  "{1} has exports under way; try again": "{1} a des exports en cours ; réessayez",
  "columns: the screen has no column {1}": "columns : l'écran n'a pas de colonne {1}",
  "columns: the screen has no column {1}; did you mean {2}?":
    "columns : l'écran n'a pas de colonne {1} ; vouliez-vous dire {2} ?",
  "The screen {1} offers no export": "L'écran {1} n'offre pas d'export",
  "There are more rows: this file ends after {1}, the most an export of this screen holds":
    "Il y a d'autres lignes : ce fichier s'arrête après {1}, le maximum d'un export de cet écran",
  "About this export": "À propos de cet export",
  "What": "Quoi",
  "Value": "Valeur",
  "Screen": "Écran",
  "Exported by": "Exporté par",
  "Exported at": "Exporté le",
  "Filters": "Filtres",
  "Parameters": "Paramètres",
  "Order": "Tri",
  "that of the query": "celui de la requête",
  "Rows": "Lignes",
  "Cut": "Coupé",
  "Columns that are not there any more": "Colonnes qui n'existent plus",
  "none": "aucun",
  "Columns that are not there any more: {1}": "Colonnes disparues : {1}",
  "Drawn are the first {1} rows; there are more":
    "Dessinées : les {1} premières lignes ; il y en a d'autres",
  "The chart {1} could not be drawn": "Le graphique {1} n'a pas pu être dessiné",
  "the chart {1} in its e-mails": "le graphique {1} dans ses courriels",
  "{1} is no name of a chart": "{1} n'est pas un nom de graphique",
  "No data": "Aucune donnée",
  "The chart is too large for a picture: {1}": "Le graphique est trop grand pour une image : {1}",
  "The picture has {1} characters; {2} are allowed": "L'image a {1} caractères ; {2} sont permis",
  "Too many pictures are drawn at this moment": "Trop d'images sont en cours de dessin",
  "{1} is of no use to a chart of the type {2}": "{1} ne sert à rien pour un graphique {2}",
  "{1} more are left out": "{1} autres ne sont pas montrés",
};
