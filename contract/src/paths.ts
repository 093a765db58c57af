/** Addresses of pages, for links on the page, in notifications and in e-mails. */
export const paths = {
  home: () => '/',
  about: () => '/about-us',
  contact: () => '/contact-us',
  /** Where a contact form that was posted without scripts ends. */
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
  /** Served by the server itself, in the person's language; works without a session. */
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

/** The page in another language: French pages live under `/fr` (decision 0066). */
export const localizedPath = (path: string, locale: 'en' | 'fr-CA'): string =>
  locale === 'en' ? path : `/fr${path.replace(/^\/(?=[#?]|$)/, '')}`
