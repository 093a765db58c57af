import { answerText } from '#contract/answers.ts'
import type { Answer, MessageReason } from '#contract/messages.ts'
import type { AttachmentRow } from '../attachments/queries.ts'
import { readImage } from '../attachments/store-image.ts'
import { readCard, writeOutCard } from '../collisions/read-card.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { decryptContent, decryptReply } from '../messages/message-encryption.ts'
import type { MessageParties } from '../messages/parties.ts'
import type { Evidence } from './case-queries.ts'

/** Copies a message as it is at this moment. Returns null when it has just been deleted. */
export async function gatherEvidence(
  context: AppContext,
  messageId: string,
  { sender, replier }: MessageParties,
): Promise<{ evidence: Evidence; image: Buffer | null } | null> {
  const row = await findReportedMessage(context.db, messageId)
  if (!row) return null
  const image = row.image && (await readImage(context, row.image))
  // of a text that was damaged, moderators read that it was
  const decryptContext = { keyring: context.keyring, log: context.log, locale: 'en' } as const
  const ref = { id: messageId, vehicleId: row.addressed_to }
  const card = row.has_collision ? await readCard(context, messageId, false) : null
  const { text } = decryptContent(decryptContext, ref, row)
  const evidence: Evidence = {
    version: 1,
    message_id: messageId,
    content: card ? `${text}\n\n${writeOutCard(card.card)}` : text,
    reason: row.reason,
    typed_plate: row.typed_plate,
    inserted_at: row.inserted_at,
    reply: writeOutReply(row.reply_answer, decryptReply(decryptContext, ref, row.reply_encrypted)),
    replied_at: row.replied_at,
    has_image: row.image !== null,
    vehicle: row.vehicle,
    sender_person: sender?.toString('base64') ?? null,
    owner_person: replier?.toString('base64') ?? null,
  }
  return { evidence, image }
}

/** Returns a reply as its sender reads it: the sentence of an answer before the text, which may be empty beside one. */
const writeOutReply = (answer: Answer | null, text: string | null): string | null =>
  text === null ? null : [answerText(answer, 'en'), text].filter(Boolean).join('\n')

type ReportedColumns = {
  addressed_to: string
  content_encrypted: Buffer
  collision_encrypted: Buffer | null
  reason: MessageReason | null
  typed_plate: string | null
  inserted_at: string
  reply_encrypted: Buffer | null
  reply_answer: Answer | null
  replied_at: string | null
  has_collision: boolean
  vehicle: Evidence['vehicle']
}
type ImageColumns =
  | { image_id: string; image_name: string; image_key: Buffer }
  | { image_id: null; image_name: null; image_key: null }

/** Reads all there is of a message. Who may have it copied was found out before. */
async function findReportedMessage(
  db: Db,
  id: string,
): Promise<(ReportedColumns & { image: AttachmentRow | null }) | null> {
  const [row] = await db<(ReportedColumns & ImageColumns)[]>`
    select m.addressed_to, m.content_encrypted, m.reason, m.plate as typed_plate, m.inserted_at, m.reply_encrypted,
      m.reply_answer, m.replied_at, m.collision_encrypted, m.has_collision, a.id as image_id,
      a.name as image_name, a.key_envelope as image_key,
      case when v.id is not null then jsonb_build_object('id', v.id, 'plate', v.plate, 'province', v.province,
        'make', v.make, 'model', v.model, 'registration_year', v.registration_year, 'status', v.status) end as vehicle
    from messages m
    left join vehicles v on v.id = m.addressed_to
    left join attachments a on a.id = m.attachment_id
    where m.id = ${id}`
  if (!row) return null
  const image = row.image_id === null ? null : { id: row.image_id, name: row.image_name, key_envelope: row.image_key }
  return { ...row, image }
}
