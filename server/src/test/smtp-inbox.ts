import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { eventually } from './eventually.ts'

/** An email as received. */
export type ReceivedMail = { from: string; to: string; raw: string; parsed: Email }

/** The server's behaviour instead of accepting an email: an SMTP reply code, silence, or closing the connection. */
export type SmtpFault = number | 'stall' | 'cut'

export type SmtpInboxOptions = {
  /** Called when a client connects. */
  greeting?: () => SmtpFault | undefined
  /** Called for each recipient. */
  recipient?: (address: string) => SmtpFault | undefined
  /** Called after the final dot; the email counts as received, whatever the reply. */
  end?: (mail: ReceivedMail) => SmtpFault | undefined
  /** 0: any free port. */
  port?: number
  options?: SMTPServerOptions
}

export type SmtpInbox = {
  /** For SMTP_URL. */
  url: string
  port: number
  /** In the order of arrival. */
  received: ReceivedMail[]
  /** Resolves with the emails to one address, once there are at least `minCount`. */
  to(address: string, minCount?: number, timeoutMs?: number): Promise<ReceivedMail[]>
  close(): Promise<void>
}

/** Starts a real SMTP server on a free port that stores the emails it receives. */
export async function startSmtpInbox({
  greeting,
  recipient,
  end,
  port = 0,
  options,
}: SmtpInboxOptions = {}): Promise<SmtpInbox> {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  let closing: Promise<void> | undefined

  const respond = (fault: SmtpFault | undefined, reply: (error?: Error) => void) => {
    if (fault === undefined) return reply()
    if (fault === 'stall') return
    if (fault === 'cut') return sockets.forEach((socket) => void socket.destroy())
    reply(Object.assign(new Error('not this time'), { responseCode: fault }))
  }

  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true, // it has no valid certificate
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect: (_, reply) => respond(greeting?.(), reply),
    onRcptTo: ({ address }, _, reply) => respond(recipient?.(address), reply),
    async onData(stream, { envelope }, reply) {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of stream) chunks.push(chunk as Buffer)
      } catch {
        return // the connection broke in the middle of the email: there is no client to reply to
      }
      const bytes = Buffer.concat(chunks)
      const mail = {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo[0]?.address ?? '',
        raw: bytes.toString(),
        parsed: await PostalMime.parse(bytes),
      }
      received.push(mail)
      respond(end?.(mail), reply)
    },
    ...options,
  })
  server.on('error', () => {}) // some tests break connections on purpose
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const listening = (server.server.address() as AddressInfo).port

  return {
    url: `smtp://127.0.0.1:${listening}`,
    port: listening,
    received,
    to: (address, minCount = 1, timeoutMs) =>
      eventually(async () => {
        const mails = received.filter((mail) => mail.to === address)
        return mails.length >= minCount ? mails : undefined
      }, timeoutMs),
    close: () => {
      closing ??= new Promise((resolve) => {
        server.close(resolve)
        for (const socket of sockets) socket.destroy()
      })
      return closing
    },
  }
}

/** Starts a mail server that takes emails and does not acknowledge them before the test lets it. */
export async function startHoldingInbox(t: TestContext) {
  const arrived: string[] = []
  const released = Promise.withResolvers<void>()
  const inbox = await startSmtpInbox({
    options: {
      async onData(stream, { envelope }, reply) {
        stream.resume()
        arrived.push(envelope.rcptTo[0]!.address)
        await released.promise
        reply()
      },
    },
  })
  t.after(() => inbox.close())
  return { url: inbox.url, arrived, release: () => released.resolve() }
}

/** Starts a mail server for one test. */
export async function openSmtpInbox(
  t: { after: (clean: () => Promise<void>) => void },
  options: SmtpInboxOptions = {},
) {
  const inbox = await startSmtpInbox(options)
  t.after(() => inbox.close())
  return inbox
}
