import { DEFAULT_PREFERENCES, type Preferences } from '#contract/preferences.ts'
import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'

/** Returns a person's preferences; the defaults for somebody who never chose. */
export const getPreferences = async (db: Db, userId: string): Promise<Preferences> => {
  const [row] = await db<Preferences[]>`
    select locale, email_messages, email_message_text from preferences where user_id = ${userId}`
  return row ?? DEFAULT_PREFERENCES
}

/** Returns the language of a person's emails. */
export const getMailLocale = async (db: Db, userId: string): Promise<Locale> =>
  (await getPreferences(db, userId)).locale

/** Turns emails about new messages off; does nothing when the account is gone. */
export const disableMessageMails = async (db: Db, userId: string): Promise<void> => {
  await db`
    insert into preferences (user_id, email_messages)
    select id, false from auth.users where id = ${userId} for key share
    on conflict (user_id) do update set email_messages = false`
}

/** Changes the given preferences and returns all of them. */
export const changePreferences = async (db: Db, userId: string, change: Partial<Preferences>): Promise<Preferences> => {
  const { locale = null, email_messages = null, email_message_text = null } = change
  const defaults = DEFAULT_PREFERENCES
  const [row] = await db<Preferences[]>`
    insert into preferences (user_id, locale, email_messages, email_message_text)
    values (${userId}, coalesce(${locale}::text, ${defaults.locale}),
      coalesce(${email_messages}::boolean, ${defaults.email_messages}),
      coalesce(${email_message_text}::boolean, ${defaults.email_message_text}))
    on conflict (user_id) do update set
      locale = coalesce(${locale}::text, preferences.locale),
      email_messages = coalesce(${email_messages}::boolean, preferences.email_messages),
      email_message_text = coalesce(${email_message_text}::boolean, preferences.email_message_text)
    returning locale, email_messages, email_message_text`
  return row! // an upsert returns its row or throws
}
