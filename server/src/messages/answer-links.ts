import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { generateSecret } from '../encryption/secrets.ts'
import { RETENTION } from '../retention.ts'
import { type ReceivedRow, readerOf, receivedColumns } from './queries.ts'

// The links in emails with which one person answers one message without a session (decision answer-links).

/** Hashes the secret of a link with a key, to find it. */
export const hashAnswerToken = (keyring: Keyring, token: string): Buffer => keyedHash(keyring, 'answer link', token)

/**
 * Makes links for the messages of an email that is about to be sent; only hashes are stored. A retry makes others, and all of them work:
 * whether an email arrived is not always known.
 *
 * @param showsText whether the email has the texts of the messages
 * @returns the secrets, by the ids of the messages
 */
export async function makeAnswerLinks(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  userId: string,
  messageIds: string[],
  showsText: boolean,
): Promise<Map<string, string>> {
  const tokens = new Map(messageIds.map((id) => [id, generateSecret()]))
  const hashes = [...tokens.values()].map((token) => hashAnswerToken(keyring, token))
  // a deletion locks messages in this order and then the account: the foreign keys alone would lock one message, the account, and then
  // the next message. For one that is gone they fail, and the email is written anew
  await db`
    with held as (select id from messages where id = any(${messageIds}::uuid[]) order by id for share)
    insert into answer_links (token_hash, message_id, user_id, shows_text)
    select token_hash, message_id, ${userId}, ${showsText}
    from unnest(${hashes}::bytea[], ${messageIds}::uuid[]) as l (token_hash, message_id)
    left join held on held.id = message_id`
  return tokens
}

/** A message as the page of a link shows it, and whose link it is. */
export type LinkedMessage = ReceivedRow & { reader_id: string; person_hash: Buffer; shows_text: boolean }

/**
 * Finds the message of a link that still works, by one statement for every link, so that it takes as long for those that do not: once the
 * message is answered or gone, the plate somebody else's, or the reader no longer one of the vehicle, suspended, signed out
 * everywhere or against such links.
 */
export const findLinkedMessage = async (db: Db, tokenHash: Buffer): Promise<LinkedMessage | null> => {
  const reader = db`l.user_id`
  const [row] = await db<LinkedMessage[]>`
    select l.user_id as reader_id, u.person_hash, l.shows_text, ${receivedColumns(db)}
    from answer_links l
    join auth.users u on u.id = l.user_id
    join messages m on m.id = l.message_id
    join vehicles v on v.id = m.vehicle_id
    left join preferences choices on choices.user_id = l.user_id
    ${readerOf(db, reader)}
    where l.token_hash = ${tokenHash}
      and l.created_at > greatest(now() - ${RETENTION.answerLinks}::interval, u.signed_out_at)
      and m.replied_at is null and not m.reply_removed and (v.user_id = l.user_id or p.id is not null)
      and is_live(v.status) and coalesce(choices.email_answers, true) and not is_account_sanctioned(l.user_id, 'suspend')`
  return row ?? null
}

/** Deletes the links whose time is over. */
export const deleteOldAnswerLinks = async (db: Db): Promise<void> => {
  await db`delete from answer_links where created_at < now() - ${RETENTION.answerLinks}::interval`
}
