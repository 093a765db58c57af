import type { User } from '@supabase/auth-js'
import { createContext, use } from 'react'

export type { User }

/** The signed-in person; the layouts of the dashboard and of the admin area provide it. */
export const UserContext = createContext<User | null>(null)

/** The signed-in person, on pages inside those layouts. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('useUser: the page lies outside the layouts of signed-in people')
  return user
}

/** The person's full name, or their e-mail address (requirements §2). */
export function displayName(user: User): string {
  const name: unknown = user.user_metadata['full_name']
  return typeof name === 'string' && name.trim() !== '' ? name : (user.email ?? '')
}
