import type { Answer } from './messages.ts'
import type { Locale } from './product.ts'

/** The parts of the profile after the first. */
type ProfilePart = 'notifications' | 'security' | 'data'

/** Adds the page to go to afterwards (`?next=`), which `safeRedirect` in the browser checks. */
const withNext = (path: string, next: string | undefined) => path + (next ? `?next=${encodeURIComponent(next)}` : '')

/** Paths of pages, for links on pages, in notifications and in emails. */
export const paths = {
  home: () => '/',
  about: () => '/about-us',
  contact: () => '/contact-us',
  /** Shown after the contact form was posted without scripts. */
  contactSent: () => '/contact-us/sent',
  terms: () => '/terms-and-conditions',
  privacy: () => '/privacy',
  accessibility: () => '/accessibility',
  login: (next?: string) => withNext('/login', next),
  signup: (next?: string) => withNext('/signup', next),
  verifyEmail: (next?: string) => withNext('/verify-email', next),
  forgotPassword: (next?: string) => withNext('/forgot-password', next),
  resetPassword: () => '/reset-password',
  /** Where the links about a change of address lead; the token stands in the fragment, which no browser sends. */
  accountLink: (action: 'confirm' | 'undo', token: string) =>
    `/account-link#do=${action}&token=${encodeURIComponent(token)}`,
  twoStep: (next?: string) => withNext('/two-step', next),
  /** Asks for another look at a sanction; with the token of its email, also without a session. */
  appeal: (token?: string) => `/appeal${token ? `#token=${encodeURIComponent(token)}` : ''}`,
  /** What a suspended person sees in place of the app. */
  suspended: () => '/suspended',
  consent: (next?: string) => withNext('/consent', next),
  dashboard: () => '/dashboard',
  notifications: () => '/dashboard/notifications',
  vehicles: (vehicleId?: string) => `/dashboard/vehicles${vehicleId ? `#${vehicleId}` : ''}`,
  /** What the owner of a plate in dispute has to do. */
  vehicleDispute: (vehicleId: string) => `/dashboard/vehicles/${encodeURIComponent(vehicleId)}/dispute`,
  /** What an owner is offered after a vehicle was registered. */
  vehicleWelcome: (vehicleId: string) => `/dashboard/vehicles/${encodeURIComponent(vehicleId)}/welcome`,
  /** The card of a vehicle, ready to take the address of somebody who drives it too. */
  inviteDriver: (vehicleId: string) => `/dashboard/vehicles?invite=driver#${vehicleId}`,
  newVehicle: () => '/dashboard/vehicle/new',
  /** Where an invitation to drive a vehicle is accepted; the code is in the fragment, or typed. */
  invite: (code?: string) => `/invite${code ? `#code=${encodeURIComponent(code)}` : ''}`,
  messages: (view?: 'received' | 'sent', messageId?: string) =>
    `/dashboard/messages${view ? `?view=${view}` : ''}${messageId ? `#${messageId}` : ''}`,
  /** A received message, with an answer offered: never sent without a tap. */
  answerMessage: (messageId: string, answer: Answer) =>
    `/dashboard/messages?view=received&answer=${answer}#${messageId}`,
  /** Where the links of an email about a message lead, with the answer that was tapped; the secret stands in the fragment. */
  answerLink: (token?: string, answer?: Answer) =>
    `/answer${token ? `#${answer ? `answer=${answer}&` : ''}token=${token}` : ''}`,
  /** One message to print or save, without anything else of the page. */
  messageCopy: (id: string) => `/dashboard/message-copy?id=${encodeURIComponent(id)}`,
  collisionCard: (messageId: string) => `/dashboard/collision-card?id=${encodeURIComponent(messageId)}`,
  profile: (part?: ProfilePart) => `/dashboard/profile${part ? `/${part}` : ''}`,
  /** Rendered by the server itself, in the user's language; works without a session. */
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  /** For a person at a vehicle, without a session: its tag, or the digits of one. */
  tag: (token?: string) => `/t${token ? `/${encodeURIComponent(token)}` : ''}`,
  /** What became of a message left at a vehicle. The receipt stands in the fragment: no server learns it from the address. */
  receipt: (receipt?: string) => `/r${receipt ? `#${encodeURIComponent(receipt)}` : ''}`,
  /** The windshield tag of an own vehicle, to print. */
  windshieldTag: (vehicleId: string) => `/dashboard/windshield-tag?id=${encodeURIComponent(vehicleId)}`,
  /** Where a note is opened. Its code stands in the fragment, which no browser sends. */
  note: (code?: string) => `/n${code ? `#${code.replaceAll(' ', '')}` : ''}`,
  admin: () => '/admin',
  adminLogin: (next?: string) => withNext('/admin/login', next),
  adminUsers: () => '/admin/users',
  /** A person by one of their accounts, which is shown in full. */
  adminUser: (accountId: string) => `/admin/user?id=${encodeURIComponent(accountId)}`,
  /** All vehicles, or those of a plate or of an address. */
  adminVehicles: (filter?: { plate: string } | { email: string }) =>
    `/admin/vehicles${filter ? `?${new URLSearchParams(filter).toString()}` : ''}`,
  /** What people must decide: all of it, one kind of it, or one item. */
  adminInbox: (kind?: 'dispute' | 'report' | 'appeal', id?: string) =>
    id ? `/admin/inbox/${kind}/${encodeURIComponent(id)}` : `/admin/inbox${kind ? `?kind=${kind}` : ''}`,
  /** A person whom a report or an appeal is about, without a whole address. */
  adminPerson: (id: string) => `/admin/user?person=${encodeURIComponent(id)}`,
  adminSystem: () => '/admin/system',
  adminAuditLog: () => '/admin/system/audit-log',
  adminProfile: (part?: ProfilePart) => `/admin/profile${part ? `/${part}` : ''}`,
  /** Where somebody who hit a vehicle says who they are. */
  collision: () => '/send/collision',
  send: (plate?: string) => `/send${plate ? `?plate=${encodeURIComponent(plate)}` : ''}`,
}

/** Returns the path of a page in a language: French pages are under `/fr` (decision two-languages). */
export const localizedPath = (path: string, locale: Locale): string =>
  locale === 'en' ? path : `/fr${path.replace(/^\/(?=[#?]|$)/, '')}`
