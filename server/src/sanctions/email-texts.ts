import { type Locale, PRODUCT } from '#contract/product.ts'
import { APPEAL_DAYS, isLasting, LIMITED_MESSAGES_PER_DAY, type SanctionKind } from '#contract/sanctions.ts'

/** What an email about a decision needs; `until` is a formatted day, null without an end. */
type SanctionFacts = { kind: SanctionKind; until: string | null; appealUntil: string; supportEmail: string }

const EN: Record<SanctionKind, Record<'subject' | 'heading' | 'what', string>> = {
  warn: {
    subject: `A warning about your ${PRODUCT} account`,
    heading: 'This is a warning',
    what: `Your use of ${PRODUCT} broke our rules. Nothing changes for your account, but the warning stays on record, and the next decision takes it into account.`,
  },
  limit: {
    subject: `You can send ${LIMITED_MESSAGES_PER_DAY} messages a day on ${PRODUCT}`,
    heading: 'Your sending is limited',
    what: `You can send at most ${LIMITED_MESSAGES_PER_DAY} messages a day. Everything else works as before.`,
  },
  suspend: {
    subject: `Your ${PRODUCT} account is suspended`,
    heading: 'Your account is suspended',
    what: `You can’t use ${PRODUCT}: you’ve been signed out everywhere, and nobody can reach you by your plates. You can still log in to read this decision, appeal it, download your data or delete your account.`,
  },
  delete_message: {
    subject: `One of your messages was removed from ${PRODUCT}`,
    heading: 'One of your messages was removed',
    what: 'A message you wrote broke our rules. It was removed for you and for the person who received it.',
  },
}

const FR: typeof EN = {
  warn: {
    subject: `Un avertissement concernant votre compte ${PRODUCT}`,
    heading: 'Ceci est un avertissement',
    what: `Votre utilisation de ${PRODUCT} a enfreint nos règles. Rien ne change pour votre compte, mais l’avertissement reste au dossier, et la prochaine décision en tiendra compte.`,
  },
  limit: {
    subject: `Vous pouvez envoyer ${LIMITED_MESSAGES_PER_DAY} messages par jour sur ${PRODUCT}`,
    heading: 'Vos envois sont limités',
    what: `Vous pouvez envoyer au plus ${LIMITED_MESSAGES_PER_DAY} messages par jour. Tout le reste fonctionne comme avant.`,
  },
  suspend: {
    subject: `Votre compte ${PRODUCT} est suspendu`,
    heading: 'Votre compte est suspendu',
    what: `Vous ne pouvez pas utiliser ${PRODUCT} : toutes vos sessions ont été fermées, et personne ne peut vous joindre grâce à vos plaques. Vous pouvez toujours vous connecter pour lire cette décision, en demander la révision, télécharger vos données ou supprimer votre compte.`,
  },
  delete_message: {
    subject: `Un de vos messages a été retiré de ${PRODUCT}`,
    heading: 'Un de vos messages a été retiré',
    what: 'Un message que vous avez écrit a enfreint nos règles. Il a été retiré pour vous et pour la personne qui l’a reçu.',
  },
}

/** The email about a sanction. */
export const sanctionTexts = {
  en: ({ kind, until, appealUntil, supportEmail }) => ({
    ...EN[kind],
    preheader: 'A person decided this. The email says why, and how to appeal.',
    person: `A person on the ${PRODUCT} team reviewed the case and made this decision. It wasn’t automated.`,
    howLong: isLasting(kind) ? (until ? `It ends on ${until}.` : 'It has no end date: it lasts until we lift it.') : '',
    noReason: `If you want to know why, write to ${supportEmail}.`,
    appeal: `Do you think this is wrong? You can appeal once, until ${appealUntil}. Someone other than the person who decided will review it, where there is one.`,
    button: 'Appeal this decision',
    note: `The link is only for you and works without logging in, for ${APPEAL_DAYS} days from the decision.`,
    reason: `You’re receiving this email because a decision was made about your ${PRODUCT} account.`,
  }),
  'fr-CA': ({ kind, until, appealUntil, supportEmail }) => ({
    ...FR[kind],
    preheader: 'Une personne a pris cette décision. Le courriel dit pourquoi et comment en demander la révision.',
    person: `Une personne de l’équipe ${PRODUCT} a examiné le dossier et pris cette décision. Elle n’était pas automatisée.`,
    howLong: isLasting(kind)
      ? until
        ? `Cette mesure prend fin le ${until}.`
        : 'Cette mesure n’a pas de date de fin : elle dure jusqu’à ce que nous la levions.'
      : '',
    noReason: `Si vous voulez savoir pourquoi, écrivez à ${supportEmail}.`,
    appeal: `Vous croyez que c’est une erreur? Vous pouvez demander une révision, une seule fois, jusqu’au ${appealUntil}. Une autre personne que celle qui a pris la décision l’examinera de nouveau, s’il y en a une.`,
    button: 'Demander une révision',
    note: `Ce lien est personnel et fonctionne sans connexion, pendant ${APPEAL_DAYS} jours à compter de la décision.`,
    reason: `Vous recevez ce courriel parce qu’une décision a été prise au sujet de votre compte ${PRODUCT}.`,
  }),
} satisfies Record<Locale, (facts: SanctionFacts) => Record<string, string>>

/** Introduces the reason of any of these emails. */
export const WHY: Record<Locale, string> = { en: 'The reason:', 'fr-CA': 'Motif :' }

/** The emails about what became of a sanction. */
export type OutcomeTexts = Record<'subject' | 'preheader' | 'heading' | 'what' | 'reason', string>

export const DASHBOARD_BUTTON: Record<Locale, string> = { en: `Open ${PRODUCT}`, 'fr-CA': `Ouvrir ${PRODUCT}` }

/** The email about a suspension or limit that was lifted before its end. */
export const liftedTexts: Record<Locale, OutcomeTexts> = {
  en: {
    subject: `You can use ${PRODUCT} as before`,
    preheader: 'The decision about your account was lifted.',
    heading: 'The decision was lifted',
    what: `A person on the ${PRODUCT} team reviewed it and lifted the decision about your account. You can now use ${PRODUCT} as before.`,
    reason: `You’re receiving this email because a decision was made about your ${PRODUCT} account.`,
  },
  'fr-CA': {
    subject: `Vous pouvez utiliser ${PRODUCT} comme avant`,
    preheader: 'La décision concernant votre compte a été levée.',
    heading: 'La décision a été levée',
    what: `Une personne de l’équipe ${PRODUCT} l’a examinée et a levé la décision concernant votre compte. Vous pouvez dès maintenant utiliser ${PRODUCT} comme avant.`,
    reason: `Vous recevez ce courriel parce qu’une décision a été prise au sujet de votre compte ${PRODUCT}.`,
  },
}

/** The email about an appeal that was decided: whether the sanction stays. */
export const appealTexts: Record<Locale, (upheld: boolean) => OutcomeTexts> = {
  en: (upheld) => ({
    subject: upheld ? 'Your appeal: the decision stays' : 'Your appeal: the decision is lifted',
    preheader: 'A person reviewed it.',
    heading: upheld ? 'The decision stays' : 'The decision is lifted',
    what: upheld
      ? `A person on the ${PRODUCT} team read your appeal and reviewed the decision. It stays as it was. There’s no second appeal.`
      : `A person on the ${PRODUCT} team read your appeal and reviewed the decision. You were right: it’s lifted and no longer counts.`,
    reason: `You’re receiving this email because you appealed a decision about your ${PRODUCT} account.`,
  }),
  'fr-CA': (upheld) => ({
    subject: upheld
      ? 'Votre demande de révision : la décision est maintenue'
      : 'Votre demande de révision : la décision est levée',
    preheader: 'Une personne l’a examinée de nouveau.',
    heading: upheld ? 'La décision est maintenue' : 'La décision est levée',
    what: upheld
      ? `Une personne de l’équipe ${PRODUCT} a lu votre demande et examiné la décision de nouveau. Elle reste telle quelle. Il n’y a pas de deuxième révision.`
      : `Une personne de l’équipe ${PRODUCT} a lu votre demande et examiné la décision de nouveau. Vous aviez raison : elle est levée et ne compte plus.`,
    reason: `Vous recevez ce courriel parce que vous avez demandé la révision d’une décision au sujet de votre compte ${PRODUCT}.`,
  }),
}
