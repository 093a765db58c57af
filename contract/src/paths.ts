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
  twoStep: (returnTo?: string) => `/two-step${returnTo ? `?next=${encodeURIComponent(returnTo)}` : ''}`,
  /** Asks for another look at a sanction; with the token of its email, also without a session. */
  appeal: (token?: string) => `/appeal${token ? `#token=${encodeURIComponent(token)}` : ''}`,
  /** What a suspended person sees in place of the app. */
  suspended: () => '/suspended',
  consent: (returnTo?: string) => `/consent${returnTo ? `?next=${encodeURIComponent(returnTo)}` : ''}`,
  dashboard: () => '/dashboard',
  notifications: () => '/dashboard/notifications',
  vehicles: (vehicleId?: string) => `/dashboard/vehicles${vehicleId ? `#${vehicleId}` : ''}`,
  newVehicle: () => '/dashboard/vehicle/new',
  messages: (view: 'received' | 'sent', messageId?: string) =>
    `/dashboard/messages?view=${view}${messageId ? `#${messageId}` : ''}`,
  /** One message to print or save, without anything else of the page. */
  messageCopy: (id: string) => `/dashboard/message-copy?id=${encodeURIComponent(id)}`,
  profile: () => '/dashboard/profile',
  /** Rendered by the server itself, in the user's language; works without a session. */
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  admin: () => '/admin',
  adminLogin: (returnTo?: string) => `/admin/login${returnTo ? `?next=${encodeURIComponent(returnTo)}` : ''}`,
  adminUsers: () => '/admin/users',
  adminUser: (id: string) => `/admin/user?id=${encodeURIComponent(id)}`,
  adminVehicles: (plate?: string) => `/admin/vehicles${plate ? `?plate=${encodeURIComponent(plate)}` : ''}`,
  adminDisputes: () => '/admin/disputes',
  adminReports: () => '/admin/reports',
  adminReport: (id: string) => `/admin/reports/${encodeURIComponent(id)}`,
  adminContact: () => '/admin/contact',
  adminIncidents: () => '/admin/incidents',
  adminPerson: (id: string) => `/admin/people/${encodeURIComponent(id)}`,
  adminAppeals: () => '/admin/appeals',
  adminAuditLog: () => '/admin/audit-log',
  adminProfile: () => '/admin/profile',
  send: (plate?: string) => `/send${plate ? `?plate=${encodeURIComponent(plate)}` : ''}`,
}

/** Returns the path of a page in a language: French pages are under `/fr` (decision 0066). */
export const localizedPath = (path: string, locale: 'en' | 'fr-CA'): string =>
  locale === 'en' ? path : `/fr${path.replace(/^\/(?=[#?]|$)/, '')}`
