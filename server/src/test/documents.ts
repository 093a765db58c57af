import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { plateKey } from '#contract/plates.ts'
import type { Person, TestApp } from './app.ts'
import { createTwoUsers, onlyVehicleOf, openChallenges, registerPlate } from './disputes.ts'

// Helpers of tests about the documents of a dispute.

export const INBOUND = {
  INBOUND_ADDRESS: 'documents@in.platenote.test',
  INBOUND_MAIL_SECRET: 'an-inbound-mail-secret-of-more-than-32-characters',
}

/** Lets two people register a plate, each as they write it; the second challenges the first. */
export async function startDispute(app: TestApp, plate: string, challengerPlate = plate) {
  const [incumbent, challenger] = await createTwoUsers(app)
  assert.equal((await registerPlate(incumbent, plate)).status, 200)
  assert.equal((await registerPlate(challenger, challengerPlate)).status, 200)
  const [dispute] = await openChallenges(app, plateKey(plate))
  const vehicles = { incumbent: await onlyVehicleOf(incumbent), challenger: await onlyVehicleOf(challenger) }
  return { incumbent, challenger, vehicles, disputeId: dispute!.id }
}

/** Returns the address that a side's email about its dispute asks to reply to. */
export async function replyAddressOf(app: TestApp, who: Person): Promise<string> {
  await app.mails(who.email)
  const [mail] = await app.db<{ headers: Record<string, string> }[]>`
    select headers from captured_mails where "to" = ${who.email}`
  return mail!.headers['Reply-To']!
}

let mails = 0

type InboundMail = { to: string; headers?: string[]; body?: string; id?: string }

/** Writes a mail as a mail server hands it over. */
export const writeMail = ({ to, headers = [], body = 'Here they are.', id = `<${++mails}@mail.test>` }: InboundMail) =>
  [
    'Return-Path: <sam@mail.test>',
    'From: Sam Roy <sam@mail.test>',
    `To: ${to}`,
    'Subject: Re: Please confirm',
    `Message-ID: ${id}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

/** Hands a mail to the hook, as the mail server does. */
export const deliver = (app: TestApp, mail: string, secret = INBOUND.INBOUND_MAIL_SECRET) =>
  app.visitor.post('/api/inbound-mail', mail, {
    'content-type': 'message/rfc822',
    authorization: `Bearer ${secret}`,
  })

/** Lists the encrypted files in the store. */
export const encryptedFiles = (app: TestApp): string[] =>
  readdirSync(join(app.config.DATA_DIR, 'attachments'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sealed'),
  )
