import type { Locale } from './product.ts'

/**
 * Every error the API can return: its status and its text in both languages. The English texts are those of requirements §8 where
 * it has one. Tests and other software refer to the code.
 */
export const ERRORS = {
  // sessions and rights
  signed_out: { status: 401, en: 'You must be signed in.', 'fr-CA': 'Connectez-vous pour continuer.' },
  session_ended: {
    status: 401,
    en: 'Your session has ended. Please log in again.',
    'fr-CA': 'Votre session est terminée. Veuillez vous reconnecter.',
  },
  email_not_confirmed: {
    status: 403,
    en: 'Please confirm your email address first.',
    'fr-CA': 'Veuillez d’abord confirmer votre adresse courriel.',
  },
  forbidden: {
    status: 403,
    en: 'You’re not allowed to do this.',
    'fr-CA': 'Vous n’avez pas l’autorisation nécessaire.',
  },
  sign_in_again: {
    status: 403,
    en: 'For your safety, please log in again first.',
    'fr-CA': 'Par mesure de sécurité, veuillez vous connecter de nouveau.',
  },
  second_factor_required: {
    status: 403,
    en: 'Please confirm your login with your second step first.',
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
    en: 'The last admin can’t be deleted. Make someone else an admin first.',
    'fr-CA': 'Le dernier compte administrateur ne peut pas être supprimé. Nommez d’abord une autre personne.',
  },
  suspended: {
    status: 403,
    en: 'Your account is suspended. The email we sent you says why, until when, and how to appeal; you can also read it after logging in.',
    'fr-CA':
      'Votre compte est suspendu. Le courriel que nous vous avons envoyé dit pourquoi, jusqu’à quand et comment demander une révision; vous pouvez aussi le lire après vous être connecté.',
  },
  last_admin_suspended: {
    status: 409,
    en: 'This is the last admin who can log in. Make someone else an admin first.',
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
    en: 'There’s nothing to lift: this person is neither suspended nor limited.',
    'fr-CA': 'Il n’y a rien à lever : cette personne n’est ni suspendue ni limitée.',
  },
  appeal_link_invalid: {
    status: 404,
    en: 'This link doesn’t work. Please open the latest email about the decision, or log in.',
    'fr-CA':
      'Ce lien ne fonctionne pas. Veuillez ouvrir le courriel le plus récent au sujet de la décision, ou vous connecter.',
  },
  email_link_invalid: {
    status: 404,
    en: 'This link doesn’t work: it has been used, has expired, or a newer email replaced it.',
    'fr-CA': 'Ce lien ne fonctionne pas : il a déjà servi, il a expiré, ou un courriel plus récent l’a remplacé.',
  },
  email_unavailable: {
    status: 409,
    en: 'This email address can’t be used: another account has it.',
    'fr-CA': 'Cette adresse courriel ne peut pas être utilisée : un autre compte s’en sert.',
  },
  nothing_to_appeal: {
    status: 404,
    en: 'There’s no decision about you to appeal.',
    'fr-CA': 'Aucune décision vous concernant ne peut faire l’objet d’une demande de révision.',
  },
  already_appealed: {
    status: 409,
    en: 'You’ve already appealed this decision. Each decision can be appealed once.',
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
    en: 'You made this decision. Another admin must decide the appeal.',
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
    en: 'The request isn’t readable JSON.',
    'fr-CA': 'La requête n’est pas du JSON lisible.',
  },
  not_found: { status: 404, en: 'Not found.', 'fr-CA': 'Introuvable.' },
  method_not_allowed: {
    status: 405,
    en: 'This address doesn’t accept that method.',
    'fr-CA': 'Cette adresse n’accepte pas cette méthode.',
  },
  too_large: { status: 413, en: 'That’s too large.', 'fr-CA': 'Le contenu est trop volumineux.' },
  form_from_elsewhere: {
    status: 403,
    en: 'This form came from another site. Please check it, then send it from here.',
    'fr-CA': 'Ce formulaire vient d’un autre site. Veuillez en vérifier le contenu, puis l’envoyer d’ici.',
  },
  unsupported_media_type: { status: 415, en: 'Send this as JSON.', 'fr-CA': 'Envoyez le contenu en JSON.' },
  too_many_requests: {
    status: 429,
    en: 'Too many attempts. Please wait a moment and try again.',
    'fr-CA': 'Trop de tentatives. Veuillez patienter un moment, puis réessayer.',
  },
  // tags
  tag_refused: {
    status: 403,
    en: 'The message was not accepted. Check the card and the characters of the plate. After three wrong tries, the card accepts nothing for an hour.',
    'fr-CA':
      'Le message n’a pas été accepté. Vérifiez la carte et les caractères de la plaque. Après trois erreurs, la carte n’accepte plus rien pendant une heure.',
  },
  // guests at a vehicle
  proof_needed: {
    status: 403,
    en: 'Many wrong tries are arriving right now, so your browser has to do a short computation first. Please allow JavaScript for this page, or try again later.',
    'fr-CA':
      'Beaucoup de tentatives erronées arrivent en ce moment : votre navigateur doit d’abord faire un court calcul. Veuillez autoriser JavaScript pour cette page, ou réessayer plus tard.',
  },
  // vehicles
  already_yours: {
    status: 409,
    en: 'You’ve already registered this plate.',
    'fr-CA': 'Vous avez déjà enregistré cette plaque.',
  },
  open_challenge: {
    status: 409,
    en: 'You already have an open verification for another plate. Please wait until it is settled.',
    'fr-CA':
      'Une vérification est déjà en cours pour une autre de vos plaques. Veuillez attendre qu’elle soit terminée.',
  },
  too_many_challenges: {
    status: 429,
    en: 'You’ve started too many plate verifications recently. Please contact our support team.',
    'fr-CA': 'Vous avez lancé trop de vérifications de plaques récemment. Veuillez écrire à notre équipe de soutien.',
  },
  too_many_vehicles: {
    status: 409,
    en: 'You’ve reached the maximum number of vehicles for one account.',
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
    en: 'Another active vehicle has this plate. Reject or delete that one first.',
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
    en: 'You can’t send a message to your own vehicle.',
    'fr-CA': 'Vous ne pouvez pas envoyer de message à votre propre véhicule.',
  },
  vehicle_not_active: {
    status: 409,
    en: 'That vehicle is not active yet.',
    'fr-CA': 'Ce véhicule n’est pas encore actif.',
  },
  province_needed: {
    status: 409,
    en: 'This plate is on PlateNote in more than one province. Please choose the province.',
    'fr-CA': 'Cette plaque est inscrite à PlateNote dans plus d’une province. Veuillez choisir la province.',
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
    en: 'This message was already sent with different content.',
    'fr-CA': 'Ce message a déjà été envoyé avec un autre contenu.',
  },
  nudge_not_now: {
    status: 409,
    en: 'You can remind the owner once: ten minutes after your message, and while there is no answer.',
    'fr-CA':
      'Vous pouvez relancer le propriétaire une seule fois : dix minutes après votre message et tant qu’il n’y a pas de réponse.',
  },
  invitation_invalid: {
    status: 404,
    en: 'This invitation does not work: it may have been used, withdrawn or have expired, or it is for another address. Ask the owner for a new one.',
    'fr-CA':
      'Cette invitation ne fonctionne pas : elle a peut-être été utilisée, retirée ou a expiré, ou elle est pour une autre adresse. Demandez-en une nouvelle au propriétaire.',
  },
  already_in_vehicle: {
    status: 409,
    en: 'You are already one of the people of this vehicle.',
    'fr-CA': 'Vous faites déjà partie des personnes de ce véhicule.',
  },
  vehicle_full: {
    status: 409,
    en: 'This vehicle has as many drivers as it can have. The owner can remove one first.',
    'fr-CA': 'Ce véhicule a déjà le nombre maximal de conducteurs. Le propriétaire peut d’abord en retirer un.',
  },
  owner_stays: {
    status: 409,
    en: 'The owner cannot leave a vehicle. Remove the vehicle instead.',
    'fr-CA': 'Le propriétaire ne peut pas quitter un véhicule. Supprimez plutôt le véhicule.',
  },
  note_not_found: {
    status: 404,
    en: 'No note opens with this code and this plate. Please check both. A note is there for three days, and for a week once it was opened.',
    'fr-CA':
      'Aucun mot ne s’ouvre avec ce code et cette plaque. Veuillez vérifier les deux. Un mot reste trois jours, et une semaine une fois ouvert.',
  },
  note_text_only: {
    status: 400,
    en: 'A note is text only. Leave it without the photo and the particulars of a collision.',
    'fr-CA': 'Un mot ne contient que du texte. Laissez-le sans photo et sans les renseignements d’une collision.',
  },
  note_not_yours: {
    status: 409,
    en: 'Register this plate first. The note can then be added to your messages.',
    'fr-CA': 'Enregistrez d’abord cette plaque. Le mot pourra ensuite être ajouté à vos messages.',
  },
  nothing_to_block: {
    status: 409,
    en: 'There is nobody to block. A note is answered once, and nothing more comes from it.',
    'fr-CA': 'Il n’y a personne à bloquer. Un mot reçoit une seule réponse, et rien d’autre n’en vient.',
  },
  already_replied: {
    status: 409,
    en: 'You have already replied to this message.',
    'fr-CA': 'Vous avez déjà répondu à ce message.',
  },
  reply_removed: {
    status: 409,
    en: 'Our moderators removed the reply to this message. It can’t be answered again.',
    'fr-CA': 'La modération a supprimé la réponse à ce message. Il n’est plus possible d’y répondre.',
  },
  // the inbox of admins
  case_closed: {
    status: 409,
    en: 'This case is already decided. Only an appeal can change a decision.',
    'fr-CA': 'Ce dossier est déjà tranché. Seule une demande de révision peut changer une décision.',
  },
  own_case: {
    status: 403,
    en: 'This case is about you. Another admin must decide it.',
    'fr-CA': 'Ce dossier vous concerne. Une autre personne doit le trancher.',
  },
  own_sanction: {
    status: 403,
    en: 'This decision is about you. Another admin has to look at it.',
    'fr-CA': 'Cette décision vous concerne. Une autre personne de l’équipe doit la revoir.',
  },
  already_reported: {
    status: 409,
    en: 'You’ve already reported this. A moderator will review it.',
    'fr-CA': 'Vous avez déjà fait ce signalement. Une personne de la modération l’examinera.',
  },
  witness_moved_on: {
    status: 409,
    en: 'That is no longer possible. Reload the page to see what has happened.',
    'fr-CA': 'Ce n’est plus possible. Rechargez la page pour voir ce qui s’est passé.',
  },
  nothing_to_report: {
    status: 409,
    en: 'There’s no reply to report. You can report a message you received, or a reply to one you sent.',
    'fr-CA':
      'Il n’y a pas de réponse à signaler. Vous pouvez signaler un message reçu, ou la réponse à un message envoyé.',
  },
  // attachments
  image_missing: { status: 400, en: 'Please choose an image.', 'fr-CA': 'Veuillez choisir une image.' },
  image_unreadable: {
    status: 400,
    en: 'This file isn’t an image we can read. Use a JPEG, PNG, HEIC, WebP, AVIF or GIF file.',
    'fr-CA':
      'Ce fichier n’est pas une image que nous pouvons lire. Utilisez un fichier JPEG, PNG, HEIC, WebP, AVIF ou GIF.',
  },
  image_too_large: { status: 413, en: 'The image is larger than 10 MB.', 'fr-CA': 'L’image dépasse 10 Mo.' },
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
    en: 'This file isn’t a photo or PDF we can read. Use a JPEG, PNG, HEIC, WebP or PDF file.',
    'fr-CA':
      'Ce fichier n’est ni une photo ni un PDF que nous pouvons lire. Utilisez un fichier JPEG, PNG, HEIC, WebP ou PDF.',
  },
  document_too_large: {
    status: 413,
    en: 'The file is larger than 10 MB. A smaller scan or a photo is enough.',
    'fr-CA': 'Le fichier dépasse 10 Mo. Une numérisation plus petite ou une photo suffit.',
  },
  documents_full: {
    status: 409,
    en: 'We already have two documents from you. Remove one to send another.',
    'fr-CA': 'Nous avons déjà deux documents. Retirez-en un pour en envoyer un autre.',
  },
  documents_not_needed: {
    status: 409,
    en: 'No documents are needed for this vehicle: its plate isn’t in dispute, or the decision has been made.',
    'fr-CA':
      'Aucun document n’est requis pour ce véhicule : sa plaque n’est pas en litige, ou la décision a été prise.',
  },
  documents_too_late: {
    status: 409,
    en: 'The due date passed more than 30 days ago. Please contact our support team.',
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
    en: 'Notifications on devices aren’t available here.',
    'fr-CA': 'Les notifications sur les appareils ne sont pas offertes ici.',
  },
  push_service_unknown: {
    status: 400,
    en: 'We can’t reach this browser’s notification service.',
    'fr-CA': 'Nous ne pouvons pas joindre le service de notification de ce navigateur.',
  },
  push_device_gone: {
    status: 409,
    en: 'This device no longer accepts our notifications. Please turn them on again.',
    'fr-CA': 'Cet appareil n’accepte plus nos notifications. Veuillez les activer de nouveau.',
  },
  push_failed: {
    status: 502,
    en: 'This device’s notification service didn’t accept the test. Please try again later.',
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

/** Returns what a person reads of an error, in their language. */
export const errorText = (code: ErrorCode, locale: Locale): string => ERRORS[code][locale]

/** The body of an error response (decision http-interface). Some codes add fields, as `province_needed` does with `provinces`. */
export type ErrorBody = {
  error: string
  code: ErrorCode
  fields?: Record<string, string>
  provinces?: string[]
}
