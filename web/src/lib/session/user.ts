import type { User } from '@supabase/auth-js'
import { createContext, use } from 'react'
import { shownEmail } from '#contract/auth.ts'

export type { User }

/** The signed-in user, provided by the layouts of the dashboard and of the admin area. */
export const UserContext = createContext<User | null>(null)

/** Returns the signed-in user, on pages inside those layouts. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('useUser: the page is outside the layouts for signed-in users')
  return user
}

/** Returns whether the user has a password; who signs in with emailed codes may have none. */
export const hasPassword = ({ app_metadata }: User): boolean => app_metadata['has_password'] !== false

/** Returns the user's full name, or the email address without one (requirements §2). */
export function displayName(user: User): string {
  const name: unknown = user.user_metadata['full_name']
  return typeof name === 'string' && name.trim() !== '' ? name : shownEmail(user)
}
