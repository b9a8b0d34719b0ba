/** Sentences of the assistant and its tools. */
export const ASSISTANT: Readonly<Record<string, string>> = {
  "No language model is configured": "Aucun modèle de langage n'est configuré",
  "No language model is configured: set AI_BASE_URL, AI_MODELS and, where the endpoint asks for one, AI_API_KEY":
    "Aucun modèle de langage n'est configuré : définissez AI_BASE_URL, AI_MODELS et, si le point d'accès le demande, AI_API_KEY",
  "The language model answered HTTP {1}: {2}": "Le modèle de langage a répondu HTTP {1} : {2}",
  "The language model asks for a pause": "Le modèle de langage demande une pause",
  "The language model broke off": "Le modèle de langage s'est interrompu",
  "The language model cannot be reached": "Le modèle de langage est injoignable",
  "The language model does not answer any more": "Le modèle de langage ne répond plus",
  "{1} has {2} turns under way; try again": "{1} a {2} tours en cours ; réessayez",
  "There is no model {1}; there are {2}": "Il n'existe pas de modèle {1} ; il y a {2}",
  "The language model sends no end of an event":
    "Le modèle de langage envoie un événement sans fin",
  "The language model asks for more than can be called":
    "Le modèle de langage demande plus que ce qui peut être appelé",
  "{1} has used the {2} tokens of a language model that one user may use in a day":
    "{1} a utilisé les {2} jetons de modèle de langage qu'un utilisateur peut employer par jour",
  "A message is needed, or a decision about calls that wait":
    "Un message est nécessaire, ou une décision sur les appels en attente",
  "A turn of this conversation is under way": "Un tour de cette conversation est en cours",
  "Correct the invoice in the ERP and process its report again":
    "Corriger la facture dans l'ERP et traiter à nouveau son rapport",
  "Decisions are about calls of a conversation: conversation_id is missing":
    "Les décisions portent sur les appels d'une conversation : conversation_id manque",
  "It was cut off; whether it took effect is not known":
    "L'appel a été interrompu ; on ne sait pas s'il a eu un effet",
  "No call {1} waits for a decision": "Aucun appel {1} n'attend de décision",
  "One answer may ask for {1} calls": "Une réponse peut demander {1} appels",
  "Send the invoice again": "Envoyer à nouveau la facture",
  "Choose the treatment of the invoice": "Choisir le traitement de la facture",
  "Set another status by hand": "Poser un autre statut à la main",
  "Tell the PA: {1} {2}": "Dire à la PA : {1} {2}",
  "The arguments have more than {1} characters": "Les arguments dépassent {1} caractères",
  "The argument object of the call {1}": "L'objet d'arguments de l'appel {1}",
  "{1} has {2} questions that wait for an answer": "{1} a {2} questions qui attendent une réponse",
  "The answer has more than {1} characters": "La réponse dépasse {1} caractères",
  "The client did not say whether its user wants the call":
    "Le client n'a pas dit si son utilisateur veut l'appel",
  "The user did not approve the call": "L'utilisateur n'a pas approuvé l'appel",
  "The session is not yours; begin another":
    "La session n'est pas la vôtre ; commencez-en une autre",
  "Run {1} ({2}) with {3}?": "Exécuter {1} ({2}) avec {3} ?",
  "Run it": "Exécuter",
  "The arguments are no JSON: {1}": "Les arguments ne sont pas du JSON : {1}",
  "The arguments are no object: {1}": "Les arguments ne sont pas un objet : {1}",
  "The conversation": "La conversation",
  "The conversation has {1} messages; begin another one":
    "La conversation a {1} messages ; commencez-en une autre",
  "The conversation has calls of an earlier version, which cannot be shared; start a new conversation":
    "La conversation contient des appels d'une version antérieure, qui ne peuvent pas être partagés ; commencez une nouvelle conversation",
  "The conversation rests on {1}, which you do not have any more, or have otherwise":
    "La conversation repose sur {1}, que vous n'avez plus, ou avez autrement",
  "The conversation is too long to be shared": "La conversation est trop longue pour être partagée",
  "The conversation was deleted, or another turn of it has begun":
    "La conversation a été supprimée, ou un autre tour y a commencé",
  "The document has more than {1} bytes": "Le document dépasse {1} octets",
  'Missing question: ask "…"': 'Question manquante : ask "…"',
  "No product runs on this data folder: use --url for a product elsewhere":
    "Aucun produit ne tourne sur ce dossier de données : indiquez un autre produit avec --url",
  "asks the assistant of the running product; --allow and --deny decide about calls that wait":
    "interroge l'assistant du produit en marche ; --allow et --deny décident des appels en attente",
  "conversation {1}": "conversation {1}",
  "{1} waits for a decision: --allow {2} or --deny {3}":
    "{1} attend une décision : --allow {2} ou --deny {3}",
  "The link leads nowhere, or no longer": "Le lien ne mène nulle part, ou plus",
  "The session has ended, or lost the permission {1}":
    "La session est terminée, ou n'a plus la permission {1}",
  "The tool failed": "L'outil a échoué",
  "The definition, the target or your account values of {1} have changed since the call was shown":
    "La définition, la cible ou les valeurs de votre compte pour {1} ont changé depuis l'affichage de l'appel",
  "The tool {1} is called with an approval alone":
    "L'outil {1} ne s'appelle qu'avec une approbation",
  "The turn has used its {1} rounds of calls": "Le tour a épuisé ses {1} séries d'appels",
  "The turn took longer than {1} s": "Le tour a duré plus de {1} s",
  "There is no tool {1} you may call": "Il n'existe pas d'outil {1} que vous puissiez appeler",
  "There is no tool {1} you may call; did you mean {2}?":
    "Il n'existe pas d'outil {1} que vous puissiez appeler ; vouliez-vous dire {2} ?",
};
