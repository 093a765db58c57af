import type { Locale } from './product.ts'

/**
 * Every error the API can return: its status and its text in both languages. The English texts are those of requirements §8 where
 * it has one. Tests and other software refer to the code.
 */
export const ERRORS = {
  // sessions and rights
  signed_out: { status: 401, en: 'You must be signed in.', 'fr-CA': 'Vous devez être connecté.' },
  session_ended: {
    status: 401,
    en: 'Your session has ended. Please sign in again.',
    'fr-CA': 'Votre session est terminée. Veuillez vous reconnecter.',
  },
  email_not_confirmed: {
    status: 403,
    en: 'Please confirm your email address first.',
    'fr-CA': 'Veuillez d’abord confirmer votre adresse courriel.',
  },
  forbidden: {
    status: 403,
    en: 'You are not allowed to do this.',
    'fr-CA': 'Vous n’êtes pas autorisé à faire ceci.',
  },
  sign_in_again: {
    status: 403,
    en: 'For your safety, please enter your password again.',
    'fr-CA': 'Par mesure de sécurité, veuillez saisir de nouveau votre mot de passe.',
  },
  second_factor_required: {
    status: 403,
    en: 'Please confirm your sign-in with your second step first.',
    'fr-CA': 'Veuillez d’abord confirmer votre connexion avec votre deuxième étape.',
  },
  fresh_factor_required: {
    status: 403,
    en: 'For your safety, please confirm with your second step again.',
    'fr-CA': 'Par mesure de sécurité, veuillez confirmer de nouveau avec votre deuxième étape.',
  },
  terms_changed: {
    status: 409,
    en: 'The terms have changed. Please reload this page and read them again.',
    'fr-CA': 'Les conditions ont changé. Veuillez recharger cette page et les relire.',
  },
  last_admin: {
    status: 409,
    en: 'The last admin cannot be deleted. Make somebody else an admin first.',
    'fr-CA': 'Le dernier compte administrateur ne peut pas être supprimé. Nommez d’abord une autre personne.',
  },
  suspended: {
    status: 403,
    en: 'Your account is suspended. The email we sent you says why, until when, and how to appeal; you can also read it after signing in.',
    'fr-CA':
      'Votre compte est suspendu. Le courriel que nous vous avons envoyé dit pourquoi, jusqu’à quand et comment demander une révision; vous pouvez aussi le lire après vous être connecté.',
  },
  last_admin_suspended: {
    status: 409,
    en: 'This is the last admin who can sign in. Make somebody else an admin first.',
    'fr-CA': 'C’est le dernier compte administrateur qui peut se connecter. Nommez d’abord une autre personne.',
  },
  // sanctions and appeals
  already_suspended: {
    status: 409,
    en: 'This person is already suspended.',
    'fr-CA': 'Cette personne est déjà suspendue.',
  },
  nothing_to_lift: {
    status: 409,
    en: 'There is nothing to lift: this person is neither suspended nor limited.',
    'fr-CA': 'Il n’y a rien à lever : cette personne n’est ni suspendue ni limitée.',
  },
  appeal_link_invalid: {
    status: 404,
    en: 'This link does not work. Please open the newest email about the decision, or sign in.',
    'fr-CA':
      'Ce lien ne fonctionne pas. Veuillez ouvrir le courriel le plus récent au sujet de la décision, ou vous connecter.',
  },
  nothing_to_appeal: {
    status: 404,
    en: 'There is no decision about you that you could appeal.',
    'fr-CA': 'Aucune décision vous concernant ne peut faire l’objet d’une demande de révision.',
  },
  already_appealed: {
    status: 409,
    en: 'You have already appealed this decision. There is one appeal for each.',
    'fr-CA': 'Vous avez déjà demandé la révision de cette décision. Une seule demande est possible pour chacune.',
  },
  appeal_too_late: {
    status: 409,
    en: 'The 20 days to appeal this decision are over.',
    'fr-CA': 'Le délai de 20 jours pour demander la révision de cette décision est écoulé.',
  },
  appeal_closed: {
    status: 409,
    en: 'This appeal was decided in the meantime.',
    'fr-CA': 'Cette demande de révision a été tranchée entre-temps.',
  },
  appeal_needs_another_admin: {
    status: 409,
    en: 'You made the decision that is appealed. Another admin has to decide the appeal.',
    'fr-CA':
      'Vous avez pris la décision visée. C’est à une autre personne de l’équipe d’administration de trancher la demande.',
  },
  // requests
  invalid_input: {
    status: 400,
    en: 'Please check what you entered.',
    'fr-CA': 'Veuillez vérifier votre saisie.',
  },
  bad_json: {
    status: 400,
    en: 'The request is not readable JSON.',
    'fr-CA': 'La requête n’est pas du JSON lisible.',
  },
  not_found: { status: 404, en: 'Not found.', 'fr-CA': 'Introuvable.' },
  method_not_allowed: {
    status: 405,
    en: 'This address does not take that method.',
    'fr-CA': 'Cette adresse n’accepte pas cette méthode.',
  },
  too_large: { status: 413, en: 'That is too large.', 'fr-CA': 'C’est trop volumineux.' },
  form_from_elsewhere: {
    status: 403,
    en: 'This form came from another site. Please check what it says, then send it from here.',
    'fr-CA': 'Ce formulaire vient d’un autre site. Veuillez en vérifier le contenu, puis l’envoyer d’ici.',
  },
  unsupported_media_type: { status: 415, en: 'Send this as JSON.', 'fr-CA': 'Envoyez ceci en JSON.' },
  too_many_requests: {
    status: 429,
    en: 'Too many attempts. Please wait a moment and try again.',
    'fr-CA': 'Trop de tentatives. Veuillez patienter un moment, puis réessayer.',
  },
  // vehicles
  already_yours: {
    status: 409,
    en: 'You have already registered this plate.',
    'fr-CA': 'Vous avez déjà enregistré cette plaque.',
  },
  registration_failed: { status: 400, en: 'Registration failed', 'fr-CA': 'L’enregistrement a échoué' },
  open_challenge: {
    status: 409,
    en: 'You already have an open verification for another plate. Please wait until it is settled.',
    'fr-CA':
      'Une vérification est déjà en cours pour une autre de vos plaques. Veuillez attendre qu’elle soit terminée.',
  },
  too_many_challenges: {
    status: 429,
    en: 'You have started too many plate verifications lately. Please write to our support team.',
    'fr-CA': 'Vous avez lancé trop de vérifications de plaques récemment. Veuillez écrire à notre équipe de soutien.',
  },
  too_many_vehicles: {
    status: 409,
    en: 'You have reached the number of vehicles one account can hold.',
    'fr-CA': 'Vous avez atteint le nombre de véhicules qu’un compte peut contenir.',
  },
  already_verified: {
    status: 409,
    en: 'This vehicle is already verified.',
    'fr-CA': 'Ce véhicule est déjà vérifié.',
  },
  already_rejected: {
    status: 409,
    en: 'This vehicle is already rejected.',
    'fr-CA': 'Ce véhicule est déjà refusé.',
  },
  plate_is_live: {
    status: 409,
    en: 'Another vehicle is live with this plate. Reject or delete that one first.',
    'fr-CA': 'Un autre véhicule est actif avec cette plaque. Refusez-le ou supprimez-le d’abord.',
  },
  // messages
  plate_not_registered: {
    status: 404,
    en: 'That plate is not registered.',
    'fr-CA': 'Cette plaque n’est pas enregistrée.',
  },
  own_vehicle: {
    status: 409,
    en: "You can't send a message to your own vehicle.",
    'fr-CA': 'Vous ne pouvez pas envoyer de message à votre propre véhicule.',
  },
  vehicle_not_active: {
    status: 409,
    en: 'That vehicle is not active yet.',
    'fr-CA': 'Ce véhicule n’est pas encore actif.',
  },
  province_needed: {
    status: 409,
    en: 'This plate is registered in more than one province. Please choose the province.',
    'fr-CA': 'Cette plaque est enregistrée dans plus d’une province. Veuillez choisir la province.',
  },
  fields_missing: {
    status: 400,
    en: 'Please fill out both fields.',
    'fr-CA': 'Veuillez remplir les deux champs.',
  },
  attachment_unknown: {
    status: 409,
    en: 'The image is no longer available. Please add it again.',
    'fr-CA': 'L’image n’est plus disponible. Veuillez l’ajouter de nouveau.',
  },
  idempotency_mismatch: {
    status: 422,
    en: 'This message was already sent with other contents.',
    'fr-CA': 'Ce message a déjà été envoyé avec un autre contenu.',
  },
  already_replied: {
    status: 409,
    en: 'You have already replied to this message.',
    'fr-CA': 'Vous avez déjà répondu à ce message.',
  },
  // the desk of admins
  case_closed: {
    status: 409,
    en: 'This case is already decided. A decision is changed by an appeal.',
    'fr-CA': 'Ce dossier est déjà tranché. Une décision se change par une demande de révision.',
  },
  own_case: {
    status: 403,
    en: 'This case is about you. Another admin has to decide it.',
    'fr-CA': 'Ce dossier vous concerne. Une autre personne doit le trancher.',
  },
  submission_closed: {
    status: 409,
    en: 'This was closed in the meantime. Nothing was sent.',
    'fr-CA': 'Cette demande a été fermée entre-temps. Rien n’a été envoyé.',
  },
  already_reported: {
    status: 409,
    en: 'You have already reported this. A moderator will look at it.',
    'fr-CA': 'Vous avez déjà fait ce signalement. Une personne de la modération l’examinera.',
  },
  nothing_to_report: {
    status: 409,
    en: 'There is no reply to report. You can report a message you received, or a reply to one you sent.',
    'fr-CA':
      'Il n’y a pas de réponse à signaler. Vous pouvez signaler un message reçu, ou la réponse à un message envoyé.',
  },
  // attachments
  image_missing: { status: 400, en: 'Please choose an image.', 'fr-CA': 'Veuillez choisir une image.' },
  image_unreadable: {
    status: 400,
    en: 'This file is not an image we can read. Use JPEG, PNG, WebP, AVIF or GIF.',
    'fr-CA': 'Ce fichier n’est pas une image lisible. Utilisez JPEG, PNG, WebP, AVIF ou GIF.',
  },
  image_too_large: { status: 413, en: 'The image is larger than 10 MB.', 'fr-CA': 'L’image dépasse 10 Mo.' },
  image_too_many_pixels: {
    status: 413,
    en: 'The image has more than 50 megapixels.',
    'fr-CA': 'L’image compte plus de 50 mégapixels.',
  },
  // documents in a dispute
  document_missing: {
    status: 400,
    en: 'Please choose a photo or a PDF.',
    'fr-CA': 'Veuillez choisir une photo ou un PDF.',
  },
  document_unreadable: {
    status: 400,
    en: 'This file is neither a photo nor a PDF we can read. Use JPEG, PNG, WebP or PDF.',
    'fr-CA': 'Ce fichier n’est ni une photo ni un PDF lisible. Utilisez JPEG, PNG, WebP ou PDF.',
  },
  document_too_large: {
    status: 413,
    en: 'The file is larger than 10 MB. A smaller scan or a photo is enough.',
    'fr-CA': 'Le fichier dépasse 10 Mo. Une numérisation plus petite ou une photo suffit.',
  },
  documents_full: {
    status: 409,
    en: 'Two documents are here already. Remove one to send another.',
    'fr-CA': 'Nous avons déjà deux documents. Retirez-en un pour en envoyer un autre.',
  },
  documents_not_needed: {
    status: 409,
    en: 'No documents are needed for this vehicle: nobody disputes its plate, or it has been decided.',
    'fr-CA':
      'Aucun document n’est requis pour ce véhicule : sa plaque n’est pas en litige, ou la décision a été prise.',
  },
  documents_too_late: {
    status: 409,
    en: 'The due date passed more than 30 days ago. Please write to our support team.',
    'fr-CA': 'L’échéance est passée depuis plus de 30 jours. Veuillez écrire à notre équipe de soutien.',
  },
  documents_are_here: {
    status: 409,
    en: 'This side has sent documents here. Approve or reject it instead.',
    'fr-CA': 'Cette personne a envoyé des documents ici. Approuvez ou refusez plutôt son enregistrement.',
  },
  // notifications on devices
  push_off: {
    status: 409,
    en: 'Notifications on devices are not available here.',
    'fr-CA': 'Les notifications sur les appareils ne sont pas offertes ici.',
  },
  push_service_unknown: {
    status: 400,
    en: 'We cannot reach this browser’s notification service.',
    'fr-CA': 'Nous ne pouvons pas joindre le service de notification de ce navigateur.',
  },
  push_device_gone: {
    status: 409,
    en: 'This device does not take our notifications any more. Please switch them on again.',
    'fr-CA': 'Cet appareil n’accepte plus nos notifications. Veuillez les activer de nouveau.',
  },
  push_failed: {
    status: 502,
    en: 'The notification service of this device did not take the test. Please try again later.',
    'fr-CA': 'Le service de notification de cet appareil n’a pas accepté l’essai. Veuillez réessayer plus tard.',
  },
  // failures
  email_failed: { status: 502, en: 'Failed to send email', 'fr-CA': 'L’envoi du courriel a échoué' },
  busy: {
    status: 503,
    en: 'PlateNote is very busy. Please try again in a moment.',
    'fr-CA': 'PlateNote est très sollicité. Veuillez réessayer dans un instant.',
  },
  unexpected: {
    status: 500,
    en: 'Something went wrong on our side. Please try again.',
    'fr-CA': 'Une erreur s’est produite de notre côté. Veuillez réessayer.',
  },
} as const satisfies Record<string, { status: number } & Record<Locale, string>>

export type ErrorCode = keyof typeof ERRORS

export const errorText = (code: ErrorCode, locale: Locale): string => ERRORS[code][locale]

/** The texts of `too_many_requests` where the user can act on them. The code in the response is always the same. */
export const LIMIT_TEXTS = {
  messages: {
    en: 'You have sent many messages in a short time. Please wait a while before you send another.',
    'fr-CA': 'Vous avez envoyé beaucoup de messages en peu de temps. Veuillez patienter avant d’en envoyer un autre.',
  },
  misses: {
    en: 'Several of the plates you tried could not be reached. Sending is paused for now. Please try again later.',
    'fr-CA':
      'Plusieurs des plaques que vous avez saisies n’ont pas pu être jointes. L’envoi est suspendu pour l’instant. Veuillez réessayer plus tard.',
  },
  unanswered: {
    en: 'This vehicle already has several messages from you without an answer. Please give its owner time to reply.',
    'fr-CA':
      'Ce véhicule a déjà reçu plusieurs de vos messages, restés sans réponse. Veuillez laisser à son propriétaire le temps de répondre.',
  },
  contact: {
    en: 'You have written to us several times in a short time. Please wait a while before you write again.',
    'fr-CA': 'Vous nous avez écrit plusieurs fois en peu de temps. Veuillez patienter avant de nous écrire de nouveau.',
  },
  reports: {
    en: 'You have sent many reports today. Please send the next one tomorrow. If you are in danger, call 911.',
    'fr-CA':
      'Vous avez envoyé beaucoup de signalements aujourd’hui. Veuillez envoyer le prochain demain. En cas de danger, appelez le 911.',
  },
  uploads: {
    en: 'You have added many images today. Please try again later.',
    'fr-CA': 'Vous avez ajouté beaucoup d’images aujourd’hui. Veuillez réessayer plus tard.',
  },
  documents: {
    en: 'You have sent many documents today. Please try again tomorrow, or reply to our email.',
    'fr-CA': 'Vous avez envoyé beaucoup de documents aujourd’hui. Réessayez demain, ou répondez à notre courriel.',
  },
} as const satisfies Record<string, Record<Locale, string>>

export type LimitText = keyof typeof LIMIT_TEXTS

export const limitText = (limit: LimitText, locale: Locale): string => LIMIT_TEXTS[limit][locale]

/** The body of an error response (decision 0031). Some codes add fields, as `province_needed` does with `provinces`. */
export type ErrorBody = {
  error: string
  code: ErrorCode
  fields?: Record<string, string>
  provinces?: string[]
}
