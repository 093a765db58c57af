import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/*
 * Lists all pages of the app. A page is one file in its feature's folder, `<name>.route.tsx`: the component as the default
 * export, beside `meta` and, where one is needed, a clientLoader. `fr?` is an optional segment: one tree, two languages. Add
 * the path of a new page to ../pages.mjs too, so that it is prerendered, weighed and tested. Links take their paths from
 * #contract/paths.ts.
 */
/** The parts of the profile, which both areas have. */
const profile = (area: 'dashboard' | 'admin') =>
  route(`${area}/profile`, 'profile/profile-layout.route.tsx', { id: `${area}-profile` }, [
    index('profile/you.route.tsx', { id: `${area}-profile-you` }),
    ...['notifications', 'security', 'data'].map((part) =>
      route(part, `profile/${part}.route.tsx`, { id: `${area}-profile-${part}` }),
    ),
  ])

export default [
  route('fr?', 'layouts/locale.route.tsx', [
    layout('layouts/public-layout.route.tsx', [
      index('public/landing.route.tsx'),
      route('about-us', 'public/about.route.tsx'),
      route('contact-us', 'contact/contact.route.tsx'),
      route('contact-us/sent', 'contact/contact-sent.route.tsx'),
      route('terms-and-conditions', 'legal/legal.route.tsx', { id: 'terms' }),
      route('privacy', 'legal/legal.route.tsx', { id: 'privacy' }),
      route('accessibility', 'legal/accessibility.route.tsx'),
      route('404', 'public/not-found.route.tsx', { id: 'not-found' }), // the page the server sends for unknown paths
      route('n', 'notes/note.route.tsx'),
      route('n/opened', 'notes/opened-note.route.tsx'), // the server's responses to that form
      route('n/gone', 'notes/note-gone.route.tsx'),
      route('offline', 'public/offline.route.tsx'), // cached by the service worker (public/sw.js)
      route('*', 'public/not-found.route.tsx'),
    ]),
    layout('layouts/auth-layout.route.tsx', [
      route('login', 'auth/login/login.route.tsx'),
      route('signup', 'auth/signup.route.tsx'),
      route('verify-email', 'auth/links/verify-email.route.tsx'),
      route('forgot-password', 'auth/forgot-password.route.tsx'),
      route('reset-password', 'auth/links/reset-password.route.tsx'),
      route('account-link', 'auth/links/account-link.route.tsx'),
      route('two-step', 'auth/second-factor/two-step.route.tsx'),
      route('consent', 'consent/consent.route.tsx'),
      route('appeal', 'sanctions/appeal.route.tsx'),
      route('suspended', 'sanctions/suspended.route.tsx'),
      route('admin/login', 'admin/admin-login.route.tsx'),
    ]),
    layout('guest/guest-layout.route.tsx', [
      route('t/:token?', 'tags/tag.route.tsx'),
      route('r', 'tags/receipt.route.tsx'),
    ]),
    route('answer', 'messages/answer.route.tsx'),
    layout('layouts/dashboard-layout.route.tsx', [
      route('dashboard', 'dashboard/dashboard.route.tsx'),
      route('dashboard/vehicles', 'vehicles/vehicles.route.tsx'),
      route('dashboard/vehicles/:id/dispute', 'vehicles/dispute.route.tsx'),
      route('dashboard/vehicles/:id/welcome', 'vehicles/welcome.route.tsx'),
      route('dashboard/vehicle/new', 'vehicles/new-vehicle.route.tsx'),
      route('dashboard/messages', 'messages/messages.route.tsx'),
      route('dashboard/message-copy', 'messages/message-copy.route.tsx'),
      route('dashboard/windshield-tag', 'tags/windshield-tag.route.tsx'),
      route('dashboard/collision-card', 'collisions/collision-card.route.tsx'),
      route('dashboard/notifications', 'notifications/notifications.route.tsx'),
      profile('dashboard'),
      route('send', 'messages/send.route.tsx'),
      route('send/collision', 'messages/send.route.tsx', { id: 'collision' }),
      route('invite', 'vehicle-people/invite.route.tsx'),
    ]),
    layout('layouts/admin-layout.route.tsx', [
      route('admin', 'admin/admin.route.tsx'),
      route('admin/users', 'admin/users.route.tsx'),
      route('admin/user', 'people/person.route.tsx'),
      route('admin/vehicles', 'admin/admin-vehicles.route.tsx'),
      route('admin/inbox/:kind?/:id?', 'inbox/inbox.route.tsx'),
      route('admin/system', 'system/system.route.tsx'),
      route('admin/system/audit-log', 'system/audit-log.route.tsx'),
      profile('admin'),
    ]),
  ]),
] satisfies RouteConfig
