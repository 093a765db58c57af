/** Paths of pages, for links on pages, in notifications and in emails. */
export const paths = {
  home: () => '/',
  about: () => '/about-us',
  contact: () => '/contact-us',
  /** Shown after the contact form was posted without scripts. */
  contactSent: () => '/contact-us/sent',
  terms: () => '/terms-and-conditions',
  privacy: () => '/privacy',
  login: (returnTo?: string) => `/login${returnTo ? `?next=${encodeURIComponent(returnTo)}` : ''}`,
  signup: () => '/signup',
  verifyEmail: () => '/verify-email',
  forgotPassword: () => '/forgot-password',
  resetPassword: () => '/reset-password',
  dashboard: () => '/dashboard',
  notifications: () => '/dashboard/notifications',
  vehicles: (vehicleId?: string) => `/dashboard/vehicles${vehicleId ? `#${vehicleId}` : ''}`,
  newVehicle: () => '/dashboard/vehicle/new',
  messages: (view: 'received' | 'sent', messageId?: string) =>
    `/dashboard/messages?view=${view}${messageId ? `#${messageId}` : ''}`,
  profile: () => '/dashboard/profile',
  /** Rendered by the server itself, in the user's language; works without a session. */
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  admin: () => '/admin',
  adminLogin: (returnTo?: string) => `/admin/login${returnTo ? `?next=${encodeURIComponent(returnTo)}` : ''}`,
  adminUsers: () => '/admin/users',
  adminVehicles: (plate?: string) => `/admin/vehicles${plate ? `?plate=${encodeURIComponent(plate)}` : ''}`,
  adminDisputes: () => '/admin/disputes',
  adminAuditLog: () => '/admin/audit-log',
  adminProfile: () => '/admin/profile',
  send: (plate?: string) => `/send${plate ? `?plate=${encodeURIComponent(plate)}` : ''}`,
}

/** Returns the path of a page in a language: French pages are under `/fr` (decision 0066). */
export const localizedPath = (path: string, locale: 'en' | 'fr-CA'): string =>
  locale === 'en' ? path : `/fr${path.replace(/^\/(?=[#?]|$)/, '')}`
