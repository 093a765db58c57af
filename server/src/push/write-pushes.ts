import { localizedPath, paths } from '#contract/paths.ts'
import type { PushPayload } from '#contract/push.ts'
import { isReadyText, reasonName, textFor } from '#contract/reasons.ts'
import { findReceived, findSent } from '../messages/queries.ts'
import { openContent, openReply } from '../messages/texts.ts'
import type { Parts } from '../parts.ts'
import { type Lease, type News, newsFor } from './queries.ts'
import { messageTold, replyTold, severalTold, vehicleTold } from './texts.ts'

/** More news than this at once come as one push. */
const ALONE_MOST = 3

/** A push, and the number of the newest notification it tells of. */
export type Push = { payload: PushPayload; number: string }

type Source = Pick<Parts, 'db' | 'keyring' | 'log'>

/** What a device is to be sent, oldest first, from what the database holds now; what is gone meanwhile is left out. */
export async function writePushes(source: Source, lease: Lease): Promise<Push[]> {
  const { locale } = lease
  const news = await newsFor(source.db, lease, ALONE_MOST)
  const count = news[0]?.count ?? 0
  if (count > ALONE_MOST) {
    const payload = { ...severalTold(locale, count), tag: 'several', lang: locale }
    return [{ payload, number: lease.last_number }]
  }
  const pushes: Push[] = []
  for (const one of news) {
    const told = await tell(source, lease, one)
    if (told) pushes.push({ payload: { ...told, tag: one.id, lang: locale }, number: one.number })
  }
  return pushes
}

async function tell(source: Source, lease: Lease, { type, data }: News) {
  const { locale, user_id: userId, message_text: showsText } = lease
  const reader = { ...source, locale }
  if (type === 'message_received' && data.message_id) {
    const row = await findReceived(source.db, data.message_id, userId)
    if (!row) return null
    const content = showsText ? openContent(reader, row.id, row.content_sealed) : null
    const reason = reasonName(row.reason, locale)
    return messageTold(locale, {
      plate: row.plate,
      // the ready text of a reason says the same in more words
      reason: content !== null && isReadyText(content) ? null : reason,
      text: content === null ? null : textFor({ content, reason: row.reason }, locale),
      url: localizedPath(paths.messages('received', row.id), locale),
    })
  }
  if (type === 'message_replied' && data.message_id) {
    const row = await findSent(source.db, data.message_id, userId)
    if (!row) return null
    return replyTold(locale, {
      plate: row.plate,
      text: showsText ? openReply(reader, row.id, row.reply_sealed) : null,
      url: localizedPath(paths.messages('sent', row.id), locale),
    })
  }
  return vehicleTold(locale, type, data)
}
