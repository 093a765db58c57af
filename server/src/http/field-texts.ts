import type { Locale } from '#contract/product.ts'
import { CHECK_FIELD } from './parse-fields.ts'

/**
 * The French of what the contract says about single fields (decision two-languages), by its English. A browser carries neither: the
 * forms check with texts of their own, and show these for the little that only the server finds.
 */
export const FIELD_TEXTS: Record<'fr-CA', Record<string, string>> = {
  'fr-CA': {
    '1 to 8 characters, no spaces': 'De 1 à 8 caractères, sans espaces',
    'Choose a time zone from the list.': 'Choisissez un fuseau horaire dans la liste.',
    'Enter a time such as 22:00.': 'Entrez une heure, par exemple 22:00.',
    'Only received messages can be chosen by vehicle and by unread.':
      'Seuls les messages reçus peuvent être choisis par véhicule et par état de lecture.',
    'Only a message with the reason “Minor accident” can be about a collision.':
      'Seul un message dont le motif est « Accrochage » peut porter sur une collision.',
    'Please choose a province.': 'Veuillez choisir une province.',
    'Please choose a subject.': 'Veuillez choisir un sujet.',
    'Please enter a valid email address.': 'Veuillez entrer une adresse courriel valide.',
    'Please enter the code.': 'Veuillez entrer le code.',
    'Please enter your name.': 'Veuillez entrer votre nom.',
    'Please enter your phone number.': 'Veuillez entrer votre numéro de téléphone.',
    'Please fill out both fields.': 'Veuillez remplir les deux champs.',
    'Please fill this in.': 'Veuillez remplir ce champ.',
    'Please give a reason.': 'Veuillez donner un motif.',
    'Please say what you are opening this for.': 'Veuillez indiquer pourquoi vous ouvrez ce contenu.',
    'Please write a message.': 'Veuillez écrire un message.',
    'Please write a reply.': 'Veuillez écrire une réponse.',
    'Please write an answer.': 'Veuillez écrire une réponse.',
    'Please write why you disagree.': 'Veuillez écrire pourquoi vous n’êtes pas d’accord.',
    'Quiet hours cannot end at the time they begin.':
      'Les heures calmes ne peuvent pas finir à l’heure où elles commencent.',
    'Quiet hours need a beginning and an end.': 'Les heures calmes ont besoin d’un début et d’une fin.',
    Required: 'Obligatoire',
    'This is not anonymous. Please confirm that you know.':
      'Ceci n’est pas anonyme. Veuillez confirmer que vous le savez.',
    'This text has a character that cannot be sent.': 'Ce texte contient un caractère qui ne peut pas être envoyé.',
    'A day within the next 12 months.': 'Un jour au cours des 12 prochains mois.',
    'There is no account with this address.': 'Aucun compte n’a cette adresse.',
    'A time within the next 30 days.': 'Une heure au cours des 30 prochains jours.',
    'Please choose a day in the past.': 'Veuillez choisir un jour passé.',
    'Please choose a day.': 'Veuillez choisir un jour.',
    'Please choose a year from the list.': 'Veuillez choisir une année dans la liste.',
    'Please give a link to a page of this site.': 'Veuillez donner un lien vers une page de ce site.',
    'Please give a valid email address.': 'Veuillez donner une adresse courriel valide.',
    'Please give the message.': 'Veuillez donner le message.',
    'Please say how you can be reached.': 'Veuillez indiquer comment vous joindre.',
    'The code has 12 digits.': 'Le code a 12 chiffres.',
    'The last three characters of the plate.': 'Les trois derniers caractères de la plaque.',
    'The year is in the future.': 'L’année est dans le futur.',
    'Please choose a make from the list.': 'Veuillez choisir une marque dans la liste.',
    'Please choose a model of this make from the list.': 'Veuillez choisir un modèle de cette marque dans la liste.',
    'We cannot write to an address with letters such as é before the @.':
      'Nous ne pouvons pas écrire à une adresse qui a des lettres comme é avant le @.',
    // what other software gets to read
    'Idempotency-Key: 8 to 100 visible characters': 'Idempotency-Key : de 8 à 100 caractères visibles',
    'Must be a day such as 2026-12-31.': 'Doit être un jour, par exemple 2026-12-31.',
    'Must be a list.': 'Doit être une liste.',
    'Must be a number.': 'Doit être un nombre.',
    'Must be a time such as 2026-12-31T12:00:00Z.': 'Doit être une heure, par exemple 2026-12-31T12:00:00Z.',
    'Must be a whole number.': 'Doit être un nombre entier.',
    'Must be an ID.': 'Doit être un identifiant.',
    'Must be an object.': 'Doit être un objet.',
    'Must be the keys of a browser.': 'Doit être les clés d’un navigateur.',
    'Must be text.': 'Doit être du texte.',
    'Must be true or false.': 'Doit être vrai ou faux (true ou false).',
    'Must not be empty.': 'Ne doit pas être vide.',
    'This cursor is not one of ours.': 'Ce curseur ne vient pas de nous.',
    [CHECK_FIELD]: 'Veuillez vérifier ce champ.',
  },
}

/** The texts that say something in their middle, and their French. */
const PATTERNS: [english: RegExp, french: (said: string) => string][] = [
  [/^At most ([\d,]+) characters\.$/, (most) => `Au plus ${toFrenchNumber(most)} caractères.`],
  [/^At least ([\d,]+) characters\.$/, (least) => `Au moins ${toFrenchNumber(least)} caractères.`],
  [/^At most (\d+) entries\.$/, (most) => `Au plus ${most} éléments.`],
  [/^At least (\d+) entries\.$/, (least) => `Au moins ${least} éléments.`],
  [/^Must be at most (\d+)\.$/, (most) => `Doit être au plus ${most}.`],
  [/^Must be at least (\d+)\.$/, (least) => `Doit être au moins ${least}.`],
  [/^Must be one of: (.+)\.$/, (values) => `Doit être l’une de ces valeurs : ${values}.`],
  [/^Must be ([a-z_-]+)\.$/, (value) => `Doit être ${value}.`],
  [/^Unknown type\. There are: (.+)\.$/, (types) => `Type inconnu. Il existe : ${types}.`],
  [/^The link must begin with (.+)\.$/, (address) => `Le lien doit commencer par ${address}.`],
]

const REFUSED_CHARACTER = /^(.+)\. “(.+)” cannot be on a plate\.$/su

const toFrenchNumber = (english: string) => Number(english.replaceAll(',', '')).toLocaleString('fr-CA')

/** Returns the French of a field's text; null for one that has none. */
export function frenchFieldText(english: string): string | null {
  const known = FIELD_TEXTS['fr-CA'][english]
  if (known !== undefined) return known
  for (const [pattern, french] of PATTERNS) {
    const said = pattern.exec(english)?.[1]
    if (said !== undefined) return french(said)
  }
  const [, shape, character] = REFUSED_CHARACTER.exec(english) ?? []
  if (shape === undefined) return null
  const french = (FIELD_TEXTS['fr-CA'][shape] ?? FIELD_TEXTS['fr-CA'][`${shape}.`])?.replace(/\.$/, '')
  return french === undefined ? null : `${french}. « ${character} » ne peut pas figurer sur une plaque.`
}

/** Returns the texts of a refusal's fields in the caller's language; whatever has no French of its own still is not English. */
export const localizeFieldTexts = (fields: Record<string, string>, locale: Locale): Record<string, string> =>
  locale === 'en'
    ? fields
    : Object.fromEntries(
        Object.entries(fields).map(([name, text]) => [
          name,
          frenchFieldText(text) ?? FIELD_TEXTS['fr-CA'][CHECK_FIELD]!,
        ]),
      )
