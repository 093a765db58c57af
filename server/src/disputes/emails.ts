import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { provinceName } from '#contract/provinces.ts'
import type { Block, RenderMail } from '../email/render.ts'
import { dueDay } from './business-days.ts'
import { challengerText, type DisputeFacts, type DisputeText, incumbentText, verifiedOwnerText } from './email-texts.ts'
import { disputeForOwner } from './queries.ts'

const text = (line: string): Block => ({ kind: 'text', text: line })

/** What a mail about a dispute needs to know beside the dispute: a challenge may end while the dispute goes on. */
export type DisputeMailData = { vehicle_id: string }

/** Writes a mail to one side of a dispute; none when the dispute has ended or this person has left it. */
const renderWith =
  (words: Record<Locale, (facts: DisputeFacts) => DisputeText>): RenderMail =>
  async ({ db, config }, { recipientId, locale, data }) => {
    const vehicleId = data['vehicle_id']
    const side = vehicleId && (await disputeForOwner(db, vehicleId, recipientId))
    if (!side) return null
    const province = provinceName(side.province, locale)
    const { subject, preheader, heading, what, ask, documents, privacy, next, button, reason } = words[locale]({
      plate: side.plate,
      dueDay: dueDay(side.documents_due_at, locale),
      supportEmail: config.SUPPORT_EMAIL,
    })
    return {
      subject,
      preheader,
      heading,
      blocks: [
        ...what.map(text),
        { kind: 'plate', plate: side.plate, province },
        ...ask.map(text),
        { kind: 'list', items: documents },
        ...privacy.map(text),
        ...next.map(text),
        { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.vehicles(vehicleId), locale) },
      ],
      reason,
      // documents go to people, not to the address that only sends
      headers: { 'Reply-To': config.SUPPORT_EMAIL },
    }
  }

/** Mail kind `dispute_challenger`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeChallenger = renderWith(challengerText)

/** Mail kind `dispute_incumbent`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeIncumbent = renderWith(incumbentText)

/** Mail kind `dispute_verified_owner`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeVerifiedOwner = renderWith(verifiedOwnerText)
