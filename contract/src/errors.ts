import type { Locale } from './product.ts'

/**
 * Every refusal the API can give: status, and what people read in English and French. The English texts are those of
 * requirements §8 where it has one. Tests and other software refer to the code.
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
  sign_in_again: [
    403,
    'For your safety, please enter your password again.',
    'Par mesure de sécurité, veuillez saisir de nouveau votre mot de passe.',
  ],
  last_admin: [
    409,
    'The last admin cannot be deleted. Make somebody else an admin first.',
    'Le dernier compte administrateur ne peut pas être supprimé. Nommez d’abord une autre personne.',
  ],
  // what was sent
  invalid_input: [400, 'Please check what you entered.', 'Veuillez vérifier votre saisie.'],
  bad_json: [400, 'The request is not readable JSON.', 'La requête n’est pas du JSON lisible.'],
  not_found: [404, 'Not found.', 'Introuvable.'],
  method_not_allowed: [405, 'This address does not take that method.', 'Cette adresse n’accepte pas cette méthode.'],
  too_large: [413, 'That is too large.', 'C’est trop volumineux.'],
  form_from_elsewhere: [
    403,
    'This form came from another site. Please check what it says, then send it from here.',
    'Ce formulaire vient d’un autre site. Veuillez en vérifier le contenu, puis l’envoyer d’ici.',
  ],
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
  already_verified: [409, 'This vehicle is already verified.', 'Ce véhicule est déjà vérifié.'],
  already_rejected: [409, 'This vehicle is already rejected.', 'Ce véhicule est déjà refusé.'],
  plate_is_live: [
    409,
    'Another vehicle is live with this plate. Reject or delete that one first.',
    'Un autre véhicule est actif avec cette plaque. Refusez-le ou supprimez-le d’abord.',
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
  // notifications on devices
  push_off: [
    409,
    'Notifications on devices are not available here.',
    'Les notifications sur les appareils ne sont pas offertes ici.',
  ],
  push_service_unknown: [
    400,
    'We cannot reach this browser’s notification service.',
    'Nous ne pouvons pas joindre le service de notification de ce navigateur.',
  ],
  push_device_gone: [
    409,
    'This device does not take our notifications any more. Please switch them on again.',
    'Cet appareil n’accepte plus nos notifications. Veuillez les activer de nouveau.',
  ],
  push_failed: [
    502,
    'The notification service of this device did not take the test. Please try again later.',
    'Le service de notification de cet appareil n’a pas accepté l’essai. Veuillez réessayer plus tard.',
  ],
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

/** What `too_many_requests` says where a person can do something about it. The code on the wire is the same for all. */
export const LIMIT_TEXTS = {
  messages: [
    'You have sent many messages in a short time. Please wait a while before you send another.',
    'Vous avez envoyé beaucoup de messages en peu de temps. Veuillez patienter avant d’en envoyer un autre.',
  ],
  misses: [
    'Several of the plates you tried could not be reached. Sending is paused for now. Please try again later.',
    'Plusieurs des plaques que vous avez saisies n’ont pas pu être jointes. L’envoi est suspendu pour l’instant. Veuillez réessayer plus tard.',
  ],
  unanswered: [
    'This vehicle already has several messages from you without an answer. Please give its owner time to reply.',
    'Ce véhicule a déjà reçu plusieurs de vos messages, restés sans réponse. Veuillez laisser à son propriétaire le temps de répondre.',
  ],
  inbound: [
    'This vehicle is getting many messages right now. Please try again later.',
    'Ce véhicule reçoit beaucoup de messages en ce moment. Veuillez réessayer plus tard.',
  ],
  contact: [
    'You have written to us several times in a short time. Please wait a while before you write again.',
    'Vous nous avez écrit plusieurs fois en peu de temps. Veuillez patienter avant de nous écrire de nouveau.',
  ],
  uploads: [
    'You have added many images today. Please try again later.',
    'Vous avez ajouté beaucoup d’images aujourd’hui. Veuillez réessayer plus tard.',
  ],
} as const satisfies Record<string, readonly [en: string, fr: string]>

export type LimitText = keyof typeof LIMIT_TEXTS

/** The text of a limit in a language. */
export const limitText = (limit: LimitText, locale: Locale): string => LIMIT_TEXTS[limit][locale === 'fr-CA' ? 1 : 0]

/** Every error body of ours (decision 0031); some codes add fields of their own, `province_needed` adds `provinces`. */
export type ErrorBody = {
  error: string
  code: ErrorCode
  fields?: Record<string, string>
  provinces?: string[]
}
