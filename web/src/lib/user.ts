import type { User } from '@supabase/auth-js'
import { createContext, use } from 'react'

/** The signed-in person; DashboardLayout provides it. */
export const UserContext = createContext<User | null>(null)

/** The signed-in person, on pages inside DashboardLayout. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('useUser: the page lies outside DashboardLayout')
  return user
}
