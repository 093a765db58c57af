import type { AddressInfo, Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { eventually } from './eventually.ts'

/** A mail as it came over the wire. */
export type ReceivedMail = { from: string; to: string; raw: string; parsed: ParsedMail }

/** What the server does instead of taking a mail: an SMTP reply code, silence, or cutting the line. */
export type SmtpFault = number | 'stall' | 'cut'

export type SmtpInboxOptions = {
  /** When somebody connects. */
  greeting?: () => SmtpFault | undefined
  /** When a recipient is named. */
  recipient?: (address: string) => SmtpFault | undefined
  /** After the final dot; the mail counts as received, whatever the answer. */
  end?: (mail: ReceivedMail) => SmtpFault | undefined
  /** 0: any free port. */
  port?: number
  options?: SMTPServerOptions
}

export type SmtpInbox = {
  /** For SMTP_URL. */
  url: string
  port: number
  /** In the order in which they came. */
  received: ReceivedMail[]
  /** Those to one address, once there are at least `least`. */
  to(address: string, least?: number, withinMs?: number): Promise<ReceivedMail[]>
  close(): Promise<void>
}

/** A real SMTP server on a port of its own that keeps what it receives. */
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

  const act = (mischief: SmtpFault | undefined, answer: (error?: Error) => void) => {
    if (mischief === undefined) return answer()
    if (mischief === 'stall') return
    if (mischief === 'cut') return sockets.forEach((socket) => void socket.destroy())
    answer(Object.assign(new Error('not this time'), { responseCode: mischief }))
  }

  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true, // its certificate is nobody's
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect: (_, answer) => act(greeting?.(), answer),
    onRcptTo: ({ address }, _, answer) => act(recipient?.(address), answer),
    async onData(stream, { envelope }, answer) {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of stream) chunks.push(chunk as Buffer)
      } catch {
        return // the line broke in the middle of the mail: there is nobody to answer
      }
      const bytes = Buffer.concat(chunks)
      const mail = {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo[0]?.address ?? '',
        raw: bytes.toString(),
        parsed: await simpleParser(bytes),
      }
      received.push(mail)
      act(end?.(mail), answer)
    },
    ...options,
  })
  server.on('error', () => {}) // broken connections are what some tests are about
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
    to: (address, least = 1, withinMs = 10_000) =>
      eventually(async () => {
        const mails = received.filter((mail) => mail.to === address)
        return mails.length >= least ? mails : undefined
      }, withinMs),
    close: () => {
      closing ??= new Promise((resolve) => {
        server.close(resolve)
        for (const socket of sockets) socket.destroy()
      })
      return closing
    },
  }
}
