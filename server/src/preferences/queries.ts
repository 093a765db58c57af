import { DEFAULT_PREFERENCES, type Preferences } from '#contract/preferences.ts'
import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'

/** Returns a person's preferences; the defaults for somebody who never chose. */
export const getPreferences = async (db: Db, userId: string): Promise<Preferences> => {
  const [row] = await db<Preferences[]>`
    select locale, email_messages, email_message_text, email_answers, to_char(quiet_from, 'HH24:MI') as quiet_from,
      to_char(quiet_until, 'HH24:MI') as quiet_until, time_zone
    from preferences where user_id = ${userId}`
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

/** Changes the given preferences and returns all of them. A change of quiet hours releases what is held (by a trigger). */
export const changePreferences = async (db: Db, userId: string, change: Partial<Preferences>): Promise<Preferences> => {
  const { locale = null, email_messages = null, email_message_text = null, time_zone = null } = change
  const { email_answers = null, quiet_from = null, quiet_until = null } = change
  const changesQuietHours = change.quiet_from !== undefined
  const defaults = DEFAULT_PREFERENCES
  const [row] = await db<Preferences[]>`
    insert into preferences (user_id, locale, email_messages, email_message_text, email_answers, quiet_from, quiet_until, time_zone)
    values (${userId}, coalesce(${locale}::text, ${defaults.locale}),
      coalesce(${email_messages}::boolean, ${defaults.email_messages}),
      coalesce(${email_message_text}::boolean, ${defaults.email_message_text}),
      coalesce(${email_answers}::boolean, ${defaults.email_answers}),
      ${quiet_from}::time, ${quiet_until}::time, coalesce(${time_zone}::text, ${defaults.time_zone}))
    on conflict (user_id) do update set
      locale = coalesce(${locale}::text, preferences.locale),
      email_messages = coalesce(${email_messages}::boolean, preferences.email_messages),
      email_message_text = coalesce(${email_message_text}::boolean, preferences.email_message_text),
      email_answers = coalesce(${email_answers}::boolean, preferences.email_answers),
      quiet_from = case when ${changesQuietHours} then excluded.quiet_from else preferences.quiet_from end,
      quiet_until = case when ${changesQuietHours} then excluded.quiet_until else preferences.quiet_until end,
      time_zone = coalesce(${time_zone}::text, preferences.time_zone)
    returning locale, email_messages, email_message_text, email_answers, to_char(quiet_from, 'HH24:MI') as quiet_from,
      to_char(quiet_until, 'HH24:MI') as quiet_until, time_zone`
  return row! // an upsert returns its row or throws
}

/** Returns whether a user's pushes show the text of messages; false unless they chose so. */
export const isTextInPushes = async (db: Db, userId: string): Promise<boolean> => {
  const rows = await db`select from preferences where user_id = ${userId} and push_message_text`
  return rows.length > 0
}

export const setTextInPushes = async (db: Db, userId: string, shown: boolean): Promise<void> => {
  await db`
    insert into preferences (user_id, push_message_text) values (${userId}, ${shown})
    on conflict (user_id) do update set push_message_text = excluded.push_message_text`
}
