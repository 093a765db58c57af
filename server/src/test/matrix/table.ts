/** Everybody who may call. */
export const CALLERS = [
  'visitor', // no token
  'former', // drove somebody else's vehicle, and left after reading a message to it
  'unverified', // has not confirmed the address, and so has no password yet
  'sender', // sent the owner's message
  'owner', // received it
  'disputed', // owner whose vehicle is challenged
  'suspended',
  'admin', // without a second factor
  'admin2', // with one
  'demoted', // was an admin when the session began
  'deleted', // the token is what is left of the account
  'forged', // has nothing to do with the others, and wrote is_admin and the like into their own metadata
  'badtoken', // the owner's token with other claims
] as const
export type CallerName = (typeof CALLERS)[number]

/** Whose thing a request names; `-`: it names none. */
const ID_KINDS = ['own', 'other', 'missing', 'malformed'] as const
export type IdKind = (typeof ID_KINDS)[number] | '-'

/** Whom a route turns away at the door, whatever is asked of it, and how. Everybody else gets what the row says. */
const AUDIENCES: Record<string, Partial<Record<CallerName, string>>> = {
  public: {},
  user: { visitor: 'out', badtoken: 'out', deleted: 'end', suspended: 'susp' },
  auth: { visitor: 'aut', badtoken: 'jwt', deleted: 'gone' },
  admin: {
    ...{ visitor: 'out', badtoken: 'out', deleted: 'end', suspended: 'susp', admin: 'fac' },
    ...{ former: 'no', unverified: 'no', sender: 'no', owner: 'no', disputed: 'no', demoted: 'no', forged: 'no' },
  },
}

/** What the cells say. Error codes of the product are those of `contract/src/errors.ts`, others those of the auth protocol. */
export const RESPONSES: Record<string, { status: number; code?: string }> = {
  200: { status: 200 },
  201: { status: 201 },
  204: { status: 204 },
  303: { status: 303 },
  out: { status: 401, code: 'signed_out' },
  end: { status: 401, code: 'session_ended' },
  susp: { status: 403, code: 'suspended' },
  unv: { status: 403, code: 'email_not_confirmed' },
  no: { status: 403, code: 'forbidden' },
  fac: { status: 403, code: 'second_factor_required' },
  400: { status: 400, code: 'invalid_input' },
  404: { status: 404, code: 'not_found' },
  '400p': { status: 400 }, // a page
  '404p': { status: 404 }, // a page
  '403p': { status: 403 },
  tag: { status: 403, code: 'tag_refused' },
  nop: { status: 404, code: 'note_not_found' },
  nty: { status: 409, code: 'note_not_yours' },
  img: { status: 409, code: 'attachment_unknown' },
  doc: { status: 409, code: 'documents_not_needed' },
  wmo: { status: 409, code: 'witness_moved_on' },
  ntr: { status: 409, code: 'nothing_to_report' },
  nva: { status: 409, code: 'vehicle_not_active' },
  inn: { status: 409, code: 'already_in_vehicle' },
  invt: { status: 404, code: 'invitation_invalid' },
  nud: { status: 409, code: 'nudge_not_now' },
  dev: { status: 400, code: 'push_service_unknown' },
  lnk: { status: 404, code: 'appeal_link_invalid' },
  mlnk: { status: 404, code: 'email_link_invalid' },
  nta: { status: 404, code: 'nothing_to_appeal' },
  ntl: { status: 409, code: 'nothing_to_lift' },
  own: { status: 403, code: 'own_sanction' },
  oca: { status: 403, code: 'own_case' },
  405: { status: 405, code: 'method_not_allowed' },
  // the auth protocol
  aut: { status: 401, code: 'no_authorization' },
  jwt: { status: 403, code: 'bad_jwt' },
  gone: { status: 403, code: 'user_not_found' },
  adm: { status: 403, code: 'not_admin' },
  inv: { status: 400, code: 'validation_failed' },
  page: { status: 403, code: 'validation_failed' }, // for a script of our pages
  cred: { status: 400, code: 'invalid_credentials' },
  facn: { status: 404, code: 'mfa_factor_not_found' },
  rea: { status: 400, code: 'reauthentication_needed' }, // a session that a password began
  chal: { status: 422, code: 'mfa_factor_not_found' },
  tok: { status: 400, code: 'refresh_token_not_found' },
  otp: { status: 403, code: 'otp_expired' },
  ncf: { status: 400, code: 'email_not_confirmed' },
  otp3: { status: 303, code: 'otp_expired' }, // in the fragment of the redirect
}

/**
 * What every caller gets from every route: its audience, and the cells for an own thing, somebody else's, one that is missing and one
 * that is malformed, or the one cell of a route that takes none. Behind it who gets something else: `caller=cell`, or
 * `caller.own=cell` for one kind of thing. `{a,b}` stands for both; a word in parentheses names a second way to call a route
 * (`requests.ts` has the requests). `*` is what no route takes.
 */
const TABLE = `
POST /auth/v1/signup                           public 200 200 200 inv
{GET,POST} /auth/v1/signup/password            auth   otp
GET /auth/v1/verify                            public 303 303 otp3 otp3  suspended.own=otp3 deleted.own=otp3
POST /auth/v1/verify                           public 200 200 otp otp  suspended.own=otp deleted.own=otp
POST /auth/v1/token                            public 200 200 cred cred  unverified.own=cred deleted.own=cred
POST /auth/v1/token (refresh)                  public 200 200 tok inv  deleted.own=tok
POST /auth/v1/{otp,resend,recover}             public 200 200 200 inv
POST /auth/v1/{session,session/end}            public page
POST /auth/v1/logout                           auth   204
GET /auth/v1/user                              auth   200
PUT /auth/v1/user                              auth   200
PUT /auth/v1/user (app_metadata)               auth   adm
POST /auth/v1/factors                          auth   rea  admin2=200
DELETE /auth/v1/factors/:id                    auth   200 facn facn facn
POST /auth/v1/factors/:id/challenge            auth   200 facn facn facn
POST /auth/v1/factors/:id/verify               auth   chal facn facn facn
{GET,HEAD,PUT,PATCH,DELETE} /auth/v1/{signup,token,session,session/end,otp,resend,recover,logout} public 405
{HEAD,PUT,PATCH,DELETE} /auth/v1/signup/password public 405
{HEAD,PUT,PATCH,DELETE} /auth/v1/verify        public 405
{HEAD,POST,PATCH,DELETE} /auth/v1/user         public 405
{GET,HEAD,PUT,PATCH,DELETE} /auth/v1/{factors,factors/:id/challenge,factors/:id/verify} public 405
{GET,HEAD,POST,PUT,PATCH} /auth/v1/factors/:id public 405
OPTIONS /auth/v1/{signup,signup/password,verify,token,session,session/end,otp,resend,recover,logout,user,factors,factors/:id,factors/:id/challenge,factors/:id/verify} public 204

GET /api/sessions                              user   200
GET /api/account-events                        user   200
GET /api/email-change                          user   200
POST /api/email-change                         user   200  unverified=unv
POST /api/email-change/resend                  user   200
DELETE /api/email-change                       user   204
POST /api/account-links                   public 200 200 mlnk mlnk  deleted.own=mlnk
GET /api/export                                user   200  suspended=200
POST /functions/v1/delete-user                 user   200 no no 400  suspended.own=200 suspended.malformed=400 admin.other=fac admin.missing=fac admin2.other=200 admin2.missing=404
{GET,POST} /api/consent                        user   200
{GET,PATCH} /api/preferences                   user   200
{GET,POST} /unsubscribe/:token                 public 200 200 404p 404p

GET /make_models.json                          public 200
POST /register-plate                           user   200 no no no  unverified=unv
GET /api/vehicles                              user   200
PATCH /api/vehicles/:id                        user   200 404 404 400
DELETE /api/vehicles/:id                       user   204 404 404 400
GET /api/vehicles/:id/people                   user   200 404 404 400
DELETE /api/vehicles/:id/people/:personId      user   204 404 404 400
POST /api/vehicles/:id/invitations             user   201 404 404 400  unverified=unv disputed.own=nva
DELETE /api/invitations/:id                    user   204 404 404 400
POST /api/invitations/accept                   user   inn 200 invt invt  unverified=unv disputed.own=invt
GET /api/vehicles/:id/documents                user   200 404 404 400
POST /api/vehicles/:id/documents               user   doc 404 404 400  disputed.own=201
DELETE /api/documents/:id                      user   404 404 404 400  disputed.own=204
POST /api/inbound-mail                         public no

POST /api/vehicles/:id/tag                     user   201 404 404 400
DELETE /api/vehicles/:id/tag                   user   204 404 404 400
GET /api/tags                                  user   200
GET /api/proof-of-work                         public 200
GET /api/receipts/:receipt                     public 200 200 404 400
POST /api/receipts/:receipt/push               public 204 204 404 400
POST {,/fr}/t                                  public 403p
POST {,/fr}/t/:token                           public 200 200 403p 400p  disputed.own=403p suspended.own=403p deleted.own=403p
POST {,/fr}/r                                  public 200

POST /api/messages                             user   201 img img 400  unverified=unv
GET /api/messages                              user   200
POST /api/messages/search                      user   200
GET /api/messages/:id                          user   200 404 404 400
PATCH /api/messages/:id                        user   200 404 404 400
POST /api/messages/:id/reply                   user   200 404 404 400  sender.own=404
POST /api/messages/:id/nudge                   user   404 404 404 400  sender.own=nud
POST /api/messages/:id/block                   user   204 404 404 400
POST /api/messages/:id/report                  user   201 404 404 400  sender.own=ntr
GET /api/messages/:id/collision                user   404 404 404 400
POST /api/messages/:id/witness/ask             user   200 404 404 400  sender.own=404
POST /api/messages/:id/witness/answer          user   404 404 404 400  sender.own=wmo
DELETE /api/messages/:id/witness               user   404 404 404 400  sender.own=200
GET /api/blocks                                user   200
DELETE /api/blocks/:id                         user   204 404 404 400
POST /api/notes                                user   201  unverified=unv
POST /api/notes/claim                          user   200 nty nop 400  disputed.own=nty
POST /api/attachments                          user   201
GET /storage/v1/object/public/message-attachments/:file public 200 200 404 404  former.other=404

GET /api/notifications                         user   200
GET /api/notifications/unread-count            user   200
PATCH /api/notifications/:id                   user   200 404 404 400
POST /api/notifications/read-all               user   204
GET /api/live                                  user   200
{GET,PATCH} /api/push                          user   200
POST /api/push/subscriptions                   user   204 204 204 dev
DELETE /api/push/subscriptions                 user   204 404 404 404
POST /api/push/test                            user   204
POST /api/push/{answers,renewals}              public 404
GET /api/dashboard                             user   200

POST /rest/v1/rpc/get_users                    admin  200
GET /api/admin/{stats,activity,health,failed-mails,vehicles,audit-log,inbox,inbox/counts} admin  200
POST /api/admin/{failed-mails/retry,waiting-mails/hurry} admin  200
POST /api/admin/failed-mails/:id/retry         admin  204 204 404 400
GET /api/admin/users/:id{,/events}             admin  200 200 404 400
POST /api/admin/vehicles/:id/{approve,reject}  admin  oca 204 404 400
DELETE /api/admin/vehicles/:id                 admin  oca 204 404 400
GET /api/admin/disputes/:id                    admin  200 200 404 400
PATCH /api/admin/disputes/:id                  admin  200 200 404 400
POST /api/appeals/sanction                     user   nta  suspended=200
POST /api/appeals                              user   nta  suspended=201
POST /api/appeals (token)                      public 201 201 lnk lnk
POST /api/appeals/sanction (token)             public 200 200 lnk lnk
GET /api/admin/people/:id                      admin  200 200 404 400
POST /api/admin/people/:id/suspend             admin  200 200 404 400
POST /api/admin/people/:id/lift                admin  own ntl 404 400
POST /api/admin/appeals/:id/open               admin  200 200 404 400
POST /api/admin/appeals/:id/decide             admin  204 204 404 400
POST /api/admin/reports/:id/{open,decide}      admin  200 200 404 400
POST /api/admin/documents/:id/open             admin  200 200 404 400

POST /send-email                               public 200
POST /send-email (by software)                 public no no no no
POST {,/fr}/contact-us                         public 303
POST {,/fr}/n                                  public 200 200 404p 400p
POST {,/fr}/answer                             public 404p

{GET,HEAD} {/healthz,/readyz}                  public 200
GET {/openapi.json,/.well-known/security.txt}  public 200
GET /dev/mailbox{,.json}                       public 200
GET /dev/mailbox/:id                           public 200 200 404 404  deleted.own=404
GET * {/dashboard,/fr/admin/users,/assets/app.js,/login} public 200
GET * {/nowhere,/fr/nowhere}                   public 404p
GET * {/api/nowhere,/auth/nowhere,/rest/nowhere,/functions/nowhere,/storage/nowhere,/dev/nowhere,/auth/v1/nowhere} public 404
{POST,PUT,DELETE} * {/nowhere,/api/vehicles/x/y,/dashboard} public 404
`

/** What the callers get from a way to call a route with one kind of thing. */
export type Row = {
  label: string
  route: string
  audience: string
  id: IdKind
  responses: Record<CallerName, string>
  /** Those who get something else than others of the audience. */
  exceptions: CallerName[]
}

/** Writes out what stands in braces: `{a,b}c` is `ac` and `bc`. */
function expand(text: string): string[] {
  const found = /\{([^{}]*)\}/.exec(text)
  if (!found) return [text]
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)]
  return found[1]!.split(',').flatMap((choice) => expand(before + choice + after))
}

/** Reads the table. Throws where it cannot be read. */
export function readRows(): Row[] {
  return TABLE.split('\n').flatMap((line) => {
    if (line.trim() === '') return []
    const [, labels = '', audience = '', rest = ''] = /^(\S+ .*?) +(public|user|auth|admin) +(.+)$/.exec(line) ?? []
    const [cells = [], exceptions = []] = rest.split(/ {2,}/).map((words) => words.split(' '))
    const kinds: readonly IdKind[] = cells.length === 1 ? ['-'] : ID_KINDS
    const others = exceptions.map((text) => /^(\w+)(?:\.(\w+))?=(\w+)$/.exec(text)?.slice(1) ?? [])
    const isKnown =
      cells.length === kinds.length &&
      cells.every((cell) => cell in RESPONSES) &&
      others.every(
        ([name, kind, cell]) =>
          CALLERS.includes(name as CallerName) && kinds.includes((kind ?? kinds[0]) as IdKind) && cell! in RESPONSES,
      )
    if (!isKnown) throw new Error(`this line cannot be read: ${line}`)
    return kinds.flatMap((id, i) => {
      const own = Object.fromEntries(
        others.flatMap(([name, kind, cell]) => (kind === undefined || kind === id ? [[name, cell]] : [])),
      ) as Partial<Row['responses']>
      const responses = Object.fromEntries(
        CALLERS.map((name) => [name, own[name] ?? AUDIENCES[audience]![name] ?? cells[i]]),
      ) as Row['responses']
      const row = { audience, id, responses, exceptions: Object.keys(own) as CallerName[] }
      return expand(labels).map((label) => ({ ...row, label, route: label.replace(/ \(.*\)$/, '') }))
    })
  })
}
