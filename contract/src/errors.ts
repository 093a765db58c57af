import type { Locale } from './product.ts'

/**
 * Every refusal the API can give: status, and what people read in English and French. The English texts are those of
 * spec §8 where it has one. Tests and other software refer to the code.
 */
export const ERRORS = {
  // who
  signed_out: [401, 'You must be signed in.', 'Vous devez être connecté.'],
  session_ended: [
    401,
    'Your session has ended. Please sign in again.',
    'Votre session est terminée. Veuillez vous reconnecter.',
  ],
  email_not_confirmed: [
    403,
    'Please confirm your email address first.',
    'Veuillez d’abord confirmer votre adresse courriel.',
  ],
  forbidden: [403, 'You are not allowed to do this.', 'Vous n’êtes pas autorisé à faire ceci.'],
  // what was sent
  invalid_input: [400, 'Please check what you entered.', 'Veuillez vérifier votre saisie.'],
  bad_json: [400, 'The request is not readable JSON.', 'La requête n’est pas du JSON lisible.'],
  not_found: [404, 'Not found.', 'Introuvable.'],
  method_not_allowed: [405, 'This address does not take that method.', 'Cette adresse n’accepte pas cette méthode.'],
  too_large: [413, 'That is too large.', 'C’est trop volumineux.'],
  unsupported_media_type: [415, 'Send this as JSON.', 'Envoyez ceci en JSON.'],
  too_many_requests: [
    429,
    'Too many attempts. Please wait a moment and try again.',
    'Trop de tentatives. Veuillez patienter un moment, puis réessayer.',
  ],
  // vehicles
  already_yours: [409, 'You have already registered this plate.', 'Vous avez déjà enregistré cette plaque.'],
  registration_failed: [400, 'Registration failed', 'L’enregistrement a échoué'],
  open_challenge: [
    409,
    'You already have an open verification for another plate. Please wait until it is settled.',
    'Une vérification est déjà en cours pour une autre de vos plaques. Veuillez attendre qu’elle soit terminée.',
  ],
  too_many_challenges: [
    429,
    'You have started too many plate verifications lately. Please write to our support team.',
    'Vous avez lancé trop de vérifications de plaques récemment. Veuillez écrire à notre équipe de soutien.',
  ],
  too_many_vehicles: [
    409,
    'You have reached the number of vehicles one account can hold.',
    'Vous avez atteint le nombre de véhicules qu’un compte peut contenir.',
  ],
  // messages
  plate_not_registered: [404, 'That plate is not registered.', 'Cette plaque n’est pas enregistrée.'],
  own_vehicle: [
    409,
    "You can't send a message to your own vehicle.",
    'Vous ne pouvez pas envoyer de message à votre propre véhicule.',
  ],
  vehicle_not_active: [409, 'That vehicle is not active yet.', 'Ce véhicule n’est pas encore actif.'],
  province_needed: [
    409,
    'This plate is registered in more than one province. Please choose the province.',
    'Cette plaque est enregistrée dans plus d’une province. Veuillez choisir la province.',
  ],
  fields_missing: [400, 'Please fill out both fields.', 'Veuillez remplir les deux champs.'],
  attachment_unknown: [
    409,
    'The image is no longer available. Please add it again.',
    'L’image n’est plus disponible. Veuillez l’ajouter de nouveau.',
  ],
  idempotency_mismatch: [
    422,
    'This message was already sent with other contents.',
    'Ce message a déjà été envoyé avec un autre contenu.',
  ],
  already_replied: [409, 'You have already replied to this message.', 'Vous avez déjà répondu à ce message.'],
  // attachments
  image_missing: [400, 'Please choose an image.', 'Veuillez choisir une image.'],
  image_unreadable: [
    400,
    'This file is not an image we can read. Use JPEG, PNG, WebP, AVIF or GIF.',
    'Ce fichier n’est pas une image lisible. Utilisez JPEG, PNG, WebP, AVIF ou GIF.',
  ],
  image_too_large: [413, 'The image is larger than 10 MB.', 'L’image dépasse 10 Mo.'],
  image_too_many_pixels: [413, 'The image has more than 50 megapixels.', 'L’image compte plus de 50 mégapixels.'],
  // faults
  email_failed: [502, 'Failed to send email', 'L’envoi du courriel a échoué'],
  busy: [
    503,
    'PlateNote is very busy. Please try again in a moment.',
    'PlateNote est très sollicité. Veuillez réessayer dans un instant.',
  ],
  unexpected: [
    500,
    'Something went wrong on our side. Please try again.',
    'Une erreur s’est produite de notre côté. Veuillez réessayer.',
  ],
} as const satisfies Record<string, readonly [status: number, en: string, fr: string]>

export type ErrorCode = keyof typeof ERRORS

/** The text of a refusal in a language. */
export const errorText = (code: ErrorCode, locale: Locale): string => ERRORS[code][locale === 'fr-CA' ? 2 : 1]

/** Every error body of ours (design §3); some codes add fields of their own, `province_needed` adds `provinces`. */
export type ErrorBody = {
  error: string
  code: ErrorCode
  fields?: Record<string, string>
  provinces?: string[]
}
