/** Everybody who may call: the columns of the table. */
export const CALLERS = [
  'visitor', // no token
  'unrelated', // has nothing to do with the others
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
  'forged', // wrote is_admin and the like into their own metadata
  'badtoken', // the owner's token with other claims
] as const
export type CallerName = (typeof CALLERS)[number]

/** Whose thing a request names; `-`: it names none. */
export type IdKind = 'own' | 'other' | 'missing' | 'malformed' | '-'

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
  405: { status: 405, code: 'method_not_allowed' },
  // the auth protocol
  aut: { status: 401, code: 'no_authorization' },
  jwt: { status: 403, code: 'bad_jwt' },
  gone: { status: 403, code: 'user_not_found' },
  adm: { status: 403, code: 'not_admin' },
  inv: { status: 400, code: 'validation_failed' },
  cred: { status: 400, code: 'invalid_credentials' },
  facn: { status: 404, code: 'mfa_factor_not_found' },
  chal: { status: 422, code: 'mfa_factor_not_found' },
  tok: { status: 400, code: 'refresh_token_not_found' },
  otp: { status: 403, code: 'otp_expired' },
  ncf: { status: 400, code: 'email_not_confirmed' },
  otp3: { status: 303, code: 'otp_expired' }, // in the fragment of the redirect
}

/**
 * The response that every caller gets from every route. One cell in a line is everybody's. `{a,b}` stands for both; a word in
 * parentheses names a second way to call a route (`requests.ts` has the requests). `*` is what no route takes.
 */
export const TABLE = `
route                                          id         visitor unrelated former unverified sender owner disputed suspended admin admin2 demoted deleted forged badtoken

POST /auth/v1/signup                           own        200
POST /auth/v1/signup                           other      200
POST /auth/v1/signup                           missing    200
POST /auth/v1/signup                           malformed  inv
{GET,POST} /auth/v1/signup/password            -          aut     otp       otp       otp        otp    otp   otp      otp       otp   otp    otp     gone    otp    jwt
GET /auth/v1/verify                            own        303     303       303       303        303    303   303      otp3      303   303    303     otp3    303    303
GET /auth/v1/verify                            other      303
GET /auth/v1/verify                            missing    otp3
GET /auth/v1/verify                            malformed  otp3
POST /auth/v1/verify                           own        200     200       200       200        200    200   200      otp       200   200    200     otp     200    200
POST /auth/v1/verify                           other      200
POST /auth/v1/verify                           missing    otp
POST /auth/v1/verify                           malformed  otp
POST /auth/v1/token                            own        200     200       200       cred       200    200   200      200       200   200    200     cred    200    200
POST /auth/v1/token                            other      200
POST /auth/v1/token                            missing    cred
POST /auth/v1/token                            malformed  cred
POST /auth/v1/token (refresh)                  own        200     200       200       200        200    200   200      200       200   200    200     tok     200    200
POST /auth/v1/token (refresh)                  other      200
POST /auth/v1/token (refresh)                  missing    tok
POST /auth/v1/token (refresh)                  malformed  inv
POST /auth/v1/{otp,resend,recover}             own        200
POST /auth/v1/{otp,resend,recover}             other      200
POST /auth/v1/{otp,resend,recover}             missing    200
POST /auth/v1/{otp,resend,recover}             malformed  inv
POST /auth/v1/logout                           -          aut     204       204       204        204    204   204      204       204   204    204     gone    204    jwt
GET /auth/v1/user                              -          aut     200       200       200        200    200   200      200       200   200    200     gone    200    jwt
PUT /auth/v1/user                              -          aut     200       200       200        200    200   200      200       200   200    200     gone    200    jwt
PUT /auth/v1/user (app_metadata)               -          aut     adm       adm       adm        adm    adm   adm      adm       adm   adm    adm     gone    adm    jwt
POST /auth/v1/factors                          -          aut     200       200       200        200    200   200      200       200   200    200     gone    200    jwt
DELETE /auth/v1/factors/:id                    own        aut     200       200       200        200    200   200      200       200   200    200     gone    200    jwt
DELETE /auth/v1/factors/:id                    other      aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
DELETE /auth/v1/factors/:id                    missing    aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
DELETE /auth/v1/factors/:id                    malformed  aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
POST /auth/v1/factors/:id/challenge            own        aut     200       200       200        200    200   200      200       200   200    200     gone    200    jwt
POST /auth/v1/factors/:id/challenge            other      aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
POST /auth/v1/factors/:id/challenge            missing    aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
POST /auth/v1/factors/:id/challenge            malformed  aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
POST /auth/v1/factors/:id/verify               own        aut     chal      chal      chal       chal   chal  chal     chal      chal  chal   chal    gone    chal   jwt
POST /auth/v1/factors/:id/verify               other      aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
POST /auth/v1/factors/:id/verify               missing    aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
POST /auth/v1/factors/:id/verify               malformed  aut     facn      facn      facn       facn   facn  facn     facn      facn  facn   facn    gone    facn   jwt
{GET,DELETE} /auth/v1/admin/users/:id          own        aut     adm       adm       adm        adm    adm   adm      adm       adm   adm    adm     gone    adm    jwt
{GET,DELETE} /auth/v1/admin/users/:id          other      aut     adm       adm       adm        adm    adm   adm      adm       adm   adm    adm     gone    adm    jwt
{GET,DELETE} /auth/v1/admin/users/:id          missing    aut     adm       adm       adm        adm    adm   adm      adm       adm   adm    adm     gone    adm    jwt
{GET,DELETE} /auth/v1/admin/users/:id          malformed  aut     adm       adm       adm        adm    adm   adm      adm       adm   adm    adm     gone    adm    jwt
GET /auth/v1/{settings,health,.well-known/jwks.json}  -   200
{GET,HEAD,PUT,PATCH,DELETE} /auth/v1/{signup,token,otp,resend,recover,logout}  -  405
{HEAD,PUT,PATCH,DELETE} /auth/v1/signup/password  -       405
{HEAD,PUT,PATCH,DELETE} /auth/v1/verify        -          405
{HEAD,POST,PATCH,DELETE} /auth/v1/user         -          405
{GET,HEAD,PUT,PATCH,DELETE} /auth/v1/{factors,factors/:id/challenge,factors/:id/verify}  -  405
{GET,HEAD,POST,PUT,PATCH} /auth/v1/factors/:id  -         405
{HEAD,POST,PUT,PATCH} /auth/v1/admin/users/:id  -         405
{HEAD,POST,PUT,PATCH,DELETE} /auth/v1/{settings,health,.well-known/jwks.json}  -  405
OPTIONS /auth/v1/{signup,signup/password,verify,token,otp,resend,recover,logout,user,admin/users/:id,factors,factors/:id,factors/:id/challenge,factors/:id/verify}  -  204
OPTIONS /auth/v1/{settings,health,.well-known/jwks.json}  -  204

GET /api/sessions                              -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
GET /api/account-events                        -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
GET /api/email-change                          -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
POST /api/email-change                         -          out     200       200       unv        200    200   200      susp      200   200    200     end     200    out
POST /api/email-change/resend                  -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
DELETE /api/email-change                       -          out     204       204       204        204    204   204      susp      204   204    204     end     204    out
POST /api/email-change/links                   own        200     200       200       200        200    200   200      200       200   200    200     mlnk    200    200
POST /api/email-change/links                   other      200
POST /api/email-change/links                   missing    mlnk
POST /api/email-change/links                   malformed  mlnk
GET /api/export                                -          out     200       200       200        200    200   200      200       200   200    200     end     200    out
POST /functions/v1/delete-user                 own        out     200       200       200        200    200   200      200       200   200    200     end     200    out
POST /functions/v1/delete-user                 other      out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /functions/v1/delete-user                 missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
POST /functions/v1/delete-user                 malformed  out     400       400       400        400    400   400      400       400   400    400     end     400    out
{GET,POST} /api/consent                        -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
{GET,PATCH} /api/preferences                   -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
{GET,POST} /unsubscribe/:token                 own        200
{GET,POST} /unsubscribe/:token                 other      200
{GET,POST} /unsubscribe/:token                 missing    404p
{GET,POST} /unsubscribe/:token                 malformed  404p

GET /make_models.json                          -          200
POST /register-plate                           own        out     200       200       unv        200    200   200      susp      200   200    200     end     200    out
POST /register-plate                           other      out     no        no        unv        no     no    no       susp      no    no     no      end     no     out
POST /register-plate                           missing    out     no        no        unv        no     no    no       susp      no    no     no      end     no     out
POST /register-plate                           malformed  out     no        no        unv        no     no    no       susp      no    no     no      end     no     out
GET /api/vehicles                              -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
PATCH /api/vehicles/:id                        own        out     200       200       200        200    200   200      susp      200   200    200     end     200    out
PATCH /api/vehicles/:id                        other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
PATCH /api/vehicles/:id                        missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
PATCH /api/vehicles/:id                        malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
DELETE /api/vehicles/:id                       own        out     204       204       204        204    204   204      susp      204   204    204     end     204    out
DELETE /api/vehicles/:id                       other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/vehicles/:id                       missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/vehicles/:id                       malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
GET /api/vehicles/:id/people                   own        out       200       200       200        200    200   200      susp      200   200    200     end     200    out
GET /api/vehicles/:id/people                   other      out       404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/vehicles/:id/people                   missing    out       404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/vehicles/:id/people                   malformed  out       400       400       400        400    400   400      susp      400   400    400     end     400    out
DELETE /api/vehicles/:id/people/:personId      own        out       204       204       204        204    204   204      susp      204   204    204     end     204    out
DELETE /api/vehicles/:id/people/:personId      other      out       404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/vehicles/:id/people/:personId      missing    out       404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/vehicles/:id/people/:personId      malformed  out       400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/vehicles/:id/invitations             own        out       201       201       unv        201    201   nva      susp      201   201    201     end     201    out
POST /api/vehicles/:id/invitations             other      out       404       404       unv        404    404   404      susp      404   404    404     end     404    out
POST /api/vehicles/:id/invitations             missing    out       404       404       unv        404    404   404      susp      404   404    404     end     404    out
POST /api/vehicles/:id/invitations             malformed  out       400       400       unv        400    400   400      susp      400   400    400     end     400    out
DELETE /api/invitations/:id                    own        out       204       204       204        204    204   204      susp      204   204    204     end     204    out
DELETE /api/invitations/:id                    other      out       404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/invitations/:id                    missing    out       404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/invitations/:id                    malformed  out       400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/invitations/accept                   own        out       inn       inn       unv        inn    inn   invt     susp      inn   inn    inn     end     inn    out
POST /api/invitations/accept                   other      out       200       200       unv        200    200   200      susp      200   200    200     end     200    out
POST /api/invitations/accept                   missing    out       invt      invt      unv        invt   invt  invt     susp      invt  invt   invt    end     invt   out
POST /api/invitations/accept                   malformed  out       invt      invt      unv        invt   invt  invt     susp      invt  invt   invt    end     invt   out
PUT /api/vehicles/:id/holder                   own        out       200       200       200        200    200   200      susp      200   200    200     end     200    out
PUT /api/vehicles/:id/holder                   other      out       404       404       404        404    404   404      susp      404   404    404     end     404    out
PUT /api/vehicles/:id/holder                   missing    out       404       404       404        404    404   404      susp      404   404    404     end     404    out
PUT /api/vehicles/:id/holder                   malformed  out       400       400       400        400    400   400      susp      400   400    400     end     400    out
DELETE /api/vehicles/:id/holder                own        out       204       204       204        204    204   204      susp      204   204    204     end     204    out
DELETE /api/vehicles/:id/holder                other      out       404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/vehicles/:id/holder                missing    out       404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/vehicles/:id/holder                malformed  out       400       400       400        400    400   400      susp      400   400    400     end     400    out
GET /api/vehicles/:id/documents                own        out     200       200       200        200    200   200      susp      200   200    200     end     200    out
GET /api/vehicles/:id/documents                other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/vehicles/:id/documents                missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/vehicles/:id/documents                malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/vehicles/:id/documents               own        out     doc       doc       doc        doc    doc   201      susp      doc   doc    doc     end     doc    out
POST /api/vehicles/:id/documents               other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/vehicles/:id/documents               missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/vehicles/:id/documents               malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
DELETE /api/documents/:id                      own        out     404       404       404        404    404   204      susp      404   404    404     end     404    out
DELETE /api/documents/:id                      other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/documents/:id                      missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/documents/:id                      malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/inbound-mail                         -          no

POST /api/vehicles/:id/tag                     own        out     201     201     201     201     201     201     susp     201     201     201     end     201     out
POST /api/vehicles/:id/tag                     other      out     404     404     404     404     404     404     susp     404     404     404     end     404     out
POST /api/vehicles/:id/tag                     missing    out     404     404     404     404     404     404     susp     404     404     404     end     404     out
POST /api/vehicles/:id/tag                     malformed  out     400     400     400     400     400     400     susp     400     400     400     end     400     out
GET /api/vehicles/:id/tag                      own        out     200     200     200     200     200     200     susp     200     200     200     end     200     out
GET /api/vehicles/:id/tag                      other      out     404     404     404     404     404     404     susp     404     404     404     end     404     out
GET /api/vehicles/:id/tag                      missing    out     404     404     404     404     404     404     susp     404     404     404     end     404     out
GET /api/vehicles/:id/tag                      malformed  out     400     400     400     400     400     400     susp     400     400     400     end     400     out
DELETE /api/vehicles/:id/tag                   own        out     204     204     204     204     204     204     susp     204     204     204     end     204     out
DELETE /api/vehicles/:id/tag                   other      out     404     404     404     404     404     404     susp     404     404     404     end     404     out
DELETE /api/vehicles/:id/tag                   missing    out     404     404     404     404     404     404     susp     404     404     404     end     404     out
DELETE /api/vehicles/:id/tag                   malformed  out     400     400     400     400     400     400     susp     400     400     400     end     400     out
GET /api/tags                                  -          out     200     200     200     200     200     200     susp     200     200     200     end     200     out
POST /api/tags/:token/messages                 own        201     201     201     201     201     201     tag     tag     201     201     201     tag     201     201
POST /api/tags/:token/messages                 other      201
POST /api/tags/:token/messages                 missing    tag
POST /api/tags/:token/messages                 malformed  400
GET /api/proof-of-work                         -          200
GET /api/receipts/:receipt                     own        200
GET /api/receipts/:receipt                     other      200
GET /api/receipts/:receipt                     missing    404
GET /api/receipts/:receipt                     malformed  400
POST /api/receipts/:receipt/push               own        204
POST /api/receipts/:receipt/push               other      204
POST /api/receipts/:receipt/push               missing    404
POST /api/receipts/:receipt/push               malformed  400
POST {,/fr}/t                                  -          403p
POST {,/fr}/t/:token                           own        200     200     200     200     200     200     403p     403p     200     200     200     403p     200     200
POST {,/fr}/t/:token                           other      200
POST {,/fr}/t/:token                           missing    403p
POST {,/fr}/t/:token                           malformed  400p
POST {,/fr}/r                                  -          200

POST /api/messages                             own        out     201       201       unv        201    201   201      susp      201   201    201     end     201    out
POST /api/messages                             other      out     img       img       unv        img    img   img      susp      img   img    img     end     img    out
POST /api/messages                             missing    out     img       img       unv        img    img   img      susp      img   img    img     end     img    out
POST /api/messages                             malformed  out     400       400       unv        400    400   400      susp      400   400    400     end     400    out
GET /api/messages                              -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
POST /api/messages/search                      -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
GET /api/messages/:id                          own        out     200       200       200        200    200   200      susp      200   200    200     end     200    out
GET /api/messages/:id                          other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/messages/:id                          missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/messages/:id                          malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
PATCH /api/messages/:id                        own        out     200       200       200        404    200   200      susp      200   200    200     end     200    out
PATCH /api/messages/:id                        other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
PATCH /api/messages/:id                        missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
PATCH /api/messages/:id                        malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/messages/:id/reply                   own        out     200       200       200        404    200   200      susp      200   200    200     end     200    out
POST /api/messages/:id/reply                   other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/reply                   missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/reply                   malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/messages/:id/nudge                   own        out       404       404       404        nud    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/nudge                   other      out       404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/nudge                   missing    out       404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/nudge                   malformed  out       400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/messages/:id/block                   own        out     204       204       204        204    204   204      susp      204   204    204     end     204    out
POST /api/messages/:id/block                   other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/block                   missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/block                   malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/messages/:id/report                  own        out     201       201       201        ntr    201   201      susp      201   201    201     end     201    out
POST /api/messages/:id/report                  other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/report                  missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/report                  malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
GET /api/messages/:id/collision                own        out     404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/messages/:id/collision                other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/messages/:id/collision                missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
GET /api/messages/:id/collision                malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/messages/:id/witness/ask             own        out     200       200       200        404    200   200      susp      200   200    200     end     200    out
POST /api/messages/:id/witness/ask             other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/witness/ask             missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/witness/ask             malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/messages/:id/witness/answer          own        out     404       404       404        wmo    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/witness/answer          other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/witness/answer          missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/messages/:id/witness/answer          malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
DELETE /api/messages/:id/witness               own        out     404       404       404        200    404   404      susp      404   404    404     end     404    out
DELETE /api/messages/:id/witness               other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/messages/:id/witness               missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/messages/:id/witness               malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
GET /api/blocks                                -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
DELETE /api/blocks/:id                         own        out     204       204       204        204    204   204      susp      204   204    204     end     204    out
DELETE /api/blocks/:id                         other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/blocks/:id                         missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/blocks/:id                         malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/notes                                -          out     201       201       unv        201    201   201      susp      201   201    201     end     201    out
POST /api/notes/{open,reply}                   own        200
POST /api/notes/{open,reply}                   other      200
POST /api/notes/{open,reply}                   missing    nop
POST /api/notes/{open,reply}                   malformed  400
POST /api/notes/unwanted                       own        204
POST /api/notes/unwanted                       other      204
POST /api/notes/unwanted                       missing    nop
POST /api/notes/unwanted                       malformed  400
POST /api/notes/claim                          own        out     200       200       200        200    200   nty      susp      200   200    200     end     200    out
POST /api/notes/claim                          other      out     nty       nty       nty        nty    nty   nty      susp      nty   nty    nty     end     nty    out
POST /api/notes/claim                          missing    out     nop       nop       nop        nop    nop   nop      susp      nop   nop    nop     end     nop    out
POST /api/notes/claim                          malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/attachments                          -          out     201       201       201        201    201   201      susp      201   201    201     end     201    out
GET /storage/v1/object/public/message-attachments/:file  own        200
GET /storage/v1/object/public/message-attachments/:file  other      200   200   404   200   200   200   200   200   200   200   200   200   200   200
GET /storage/v1/object/public/message-attachments/:file  missing    404
GET /storage/v1/object/public/message-attachments/:file  malformed  404

GET /api/notifications                         -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
GET /api/notifications/unread-count            -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
PATCH /api/notifications/:id                   own        out     200       200       200        200    200   200      susp      200   200    200     end     200    out
PATCH /api/notifications/:id                   other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
PATCH /api/notifications/:id                   missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
PATCH /api/notifications/:id                   malformed  out     400       400       400        400    400   400      susp      400   400    400     end     400    out
POST /api/notifications/read-all               -          out     204       204       204        204    204   204      susp      204   204    204     end     204    out
GET /api/live                                  -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
{GET,PATCH} /api/push                          -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out
POST /api/push/subscriptions                   own        out     204       204       204        204    204   204      susp      204   204    204     end     204    out
POST /api/push/subscriptions                   other      out     204       204       204        204    204   204      susp      204   204    204     end     204    out
POST /api/push/subscriptions                   missing    out     204       204       204        204    204   204      susp      204   204    204     end     204    out
POST /api/push/subscriptions                   malformed  out     dev       dev       dev        dev    dev   dev      susp      dev   dev    dev     end     dev    out
DELETE /api/push/subscriptions                 own        out     204       204       204        204    204   204      susp      204   204    204     end     204    out
DELETE /api/push/subscriptions                 other      out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/push/subscriptions                 missing    out     404       404       404        404    404   404      susp      404   404    404     end     404    out
DELETE /api/push/subscriptions                 malformed  out     404       404       404        404    404   404      susp      404   404    404     end     404    out
POST /api/push/test                            -          out     204       204       204        204    204   204      susp      204   204    204     end     204    out
POST /api/push/{answers,renewals}              -          404
GET /api/dashboard                             -          out     200       200       200        200    200   200      susp      200   200    200     end     200    out

POST /rest/v1/rpc/get_users                    -          out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
GET /api/admin/{stats,activity,health,failed-mails,vehicles,audit-log,inbox,inbox/counts}  -  out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /api/admin/{failed-mails/retry,waiting-mails/hurry}  -  out   no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /api/admin/failed-mails/:id/retry         own        out     no        no        no         no     no    no       susp      fac   204    no      end     no     out
POST /api/admin/failed-mails/:id/retry         other      out     no        no        no         no     no    no       susp      fac   204    no      end     no     out
POST /api/admin/failed-mails/:id/retry         missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
POST /api/admin/failed-mails/:id/retry         malformed  out     no        no        no         no     no    no       susp      fac   400    no      end     no     out
GET /api/admin/users/:id{,/events}             own        out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
GET /api/admin/users/:id{,/events}             other      out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
GET /api/admin/users/:id{,/events}             missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
GET /api/admin/users/:id{,/events}             malformed  out     no        no        no         no     no    no       susp      fac   400    no      end     no     out
POST /api/admin/vehicles/:id/{approve,reject}  own        out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /api/admin/vehicles/:id/{approve,reject}  other      out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /api/admin/vehicles/:id/{approve,reject}  missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
POST /api/admin/vehicles/:id/{approve,reject}  malformed  out     no        no        no         no     no    no       susp      fac   400    no      end     no     out
DELETE /api/admin/vehicles/:id                 own        out     no        no        no         no     no    no       susp      fac   204    no      end     no     out
DELETE /api/admin/vehicles/:id                 other      out     no        no        no         no     no    no       susp      fac   204    no      end     no     out
DELETE /api/admin/vehicles/:id                 missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
DELETE /api/admin/vehicles/:id                 malformed  out     no        no        no         no     no    no       susp      fac   400    no      end     no     out
GET /api/admin/disputes/:id                    own        out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
GET /api/admin/disputes/:id                    other      out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
GET /api/admin/disputes/:id                    missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
GET /api/admin/disputes/:id                    malformed  out     no        no        no         no     no    no       susp      fac   400    no      end     no     out
PATCH /api/admin/disputes/:id                  own        out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
PATCH /api/admin/disputes/:id                  other      out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
PATCH /api/admin/disputes/:id                  missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
PATCH /api/admin/disputes/:id                  malformed  out     no        no        no         no     no    no       susp      fac   400    no      end     no     out
POST /api/appeals/sanction                     -          out      nta      nta      nta      nta      nta      nta      200      nta      nta      nta      end      nta      out
POST /api/appeals                              -          out      nta      nta      nta      nta      nta      nta      201      nta      nta      nta      end      nta      out
POST /api/appeals (token)                      own        201
POST /api/appeals/sanction (token)             own        200
POST /api/appeals (token)                      other      201
POST /api/appeals/sanction (token)             other      200
POST /api/{appeals,appeals/sanction} (token)   missing    lnk
POST /api/{appeals,appeals/sanction} (token)   malformed  lnk
GET /api/admin/people/:id                      own        out      no       no       no       no       no       no       susp     fac      200      no       end      no       out
GET /api/admin/people/:id                      other      out      no       no       no       no       no       no       susp     fac      200      no       end      no       out
GET /api/admin/people/:id                      missing    out      no       no       no       no       no       no       susp     fac      404      no       end      no       out
GET /api/admin/people/:id                      malformed  out      no       no       no       no       no       no       susp     fac      400      no       end      no       out
POST /api/admin/people/:id/suspend             own        out      no       no       no       no       no       no       susp     fac      200      no       end      no       out
POST /api/admin/people/:id/suspend             other      out      no       no       no       no       no       no       susp     fac      200      no       end      no       out
POST /api/admin/people/:id/suspend             missing    out      no       no       no       no       no       no       susp     fac      404      no       end      no       out
POST /api/admin/people/:id/suspend             malformed  out      no       no       no       no       no       no       susp     fac      400      no       end      no       out
POST /api/admin/people/:id/lift                own        out      no       no       no       no       no       no       susp     fac      own      no       end      no       out
POST /api/admin/people/:id/lift                other      out      no       no       no       no       no       no       susp     fac      ntl      no       end      no       out
POST /api/admin/people/:id/lift                missing    out      no       no       no       no       no       no       susp     fac      404      no       end      no       out
POST /api/admin/people/:id/lift                malformed  out      no       no       no       no       no       no       susp     fac      400      no       end      no       out
POST /api/admin/appeals/:id/{open,decide}      own        out      no       no       no       no       no       no       susp     fac      200      no       end      no       out
POST /api/admin/appeals/:id/{open,decide}      other      out      no       no       no       no       no       no       susp     fac      200      no       end      no       out
POST /api/admin/appeals/:id/{open,decide}      missing    out      no       no       no       no       no       no       susp     fac      404      no       end      no       out
POST /api/admin/appeals/:id/{open,decide}      malformed  out      no       no       no       no       no       no       susp     fac      400      no       end      no       out
POST /api/admin/reports/:id/{open,decide}      own        out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /api/admin/reports/:id/{open,decide}      other      out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /api/admin/reports/:id/{open,decide}      missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
POST /api/admin/reports/:id/{open,decide}      malformed  out     no        no        no         no     no    no       susp      fac   400    no      end     no     out
POST /api/admin/documents/:id/open             own        out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /api/admin/documents/:id/open             other      out     no        no        no         no     no    no       susp      fac   200    no      end     no     out
POST /api/admin/documents/:id/open             missing    out     no        no        no         no     no    no       susp      fac   404    no      end     no     out
POST /api/admin/documents/:id/open             malformed  out     no        no        no         no     no    no       susp      fac   400    no      end     no     out

POST /send-email                               -          200
POST /send-email (by software)                 own        no
POST /send-email (by software)                 other      no
POST /send-email (by software)                 missing    no
POST /send-email (by software)                 malformed  no
POST {,/fr}/contact-us                         -          303
POST {,/fr}/n                                  own        200
POST {,/fr}/n                                  other      200
POST {,/fr}/n                                  missing    404p
POST {,/fr}/n                                  malformed  400p

{GET,HEAD} {/healthz,/readyz}                  -          200
GET {/openapi.json,/.well-known/security.txt}  -          200
GET /dev/mailbox{,.json}                       -          200
GET /dev/mailbox/:id{,/html}                   own        200     200       200       200        200    200   200      200       200   200    200     404     200    200
GET /dev/mailbox/:id{,/html}                   other      200
GET /dev/mailbox/:id{,/html}                   missing    404
GET /dev/mailbox/:id{,/html}                   malformed  404
GET * {/dashboard,/fr/admin/users,/assets/app.js,/login}  -  200
GET * {/nowhere,/fr/nowhere}                   -          404p
GET * {/api/nowhere,/auth/nowhere,/rest/nowhere,/functions/nowhere,/storage/nowhere,/dev/nowhere,/auth/v1/nowhere}  -  404
{POST,PUT,DELETE} * {/nowhere,/api/vehicles/x/y,/dashboard}  -  404
`
