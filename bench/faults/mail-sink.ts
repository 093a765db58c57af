import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail as the sink took it: `row` is the part of its Message-ID that names the row of the outbox. */
export type TakenMail = { row: string; to: string; text: string; at: number }

/** The stages at which a worker can be killed: after MAIL FROM, during DATA, before the mail server acknowledges, and after. */
export type MailStage = 'claimed' | 'data' | 'before 250' | 'after 250'

/** Starts a mail server that takes everything, counts it, and reports the stages of each mail. */
export async function startMailSink({
  onStage = () => {},
  delayMs = 0,
}: {
  onStage?: (stage: MailStage) => void
  delayMs?: number
} = {}) {
  const taken: TakenMail[] = []
  let port = 0
  let server: SMTPServer | undefined
  const open = async () => {
    server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      disableReverseLookup: true,
      closeTimeout: 1,
      onMailFrom(_address, _session, reply) {
        onStage('claimed')
        reply()
      },
      onData(stream, { envelope }, reply) {
        const chunks: Buffer[] = []
        onStage('data')
        stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
        stream.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const row = /^Message-ID:\s*<([^@>]+)@/im.exec(text)?.[1] ?? ''
          taken.push({ row, to: envelope.rcptTo[0]?.address ?? '', text, at: performance.now() })
          onStage('before 250')
          setTimeout(() => {
            reply()
            onStage('after 250')
          }, delayMs)
        })
      },
    })
    server.on('error', () => {}) // workers that are killed break connections
    await new Promise<void>((resolve, reject) => {
      server!.server.once('error', reject)
      server!.listen(port, '127.0.0.1', resolve)
    })
    port = (server.server.address() as AddressInfo).port
  }
  const close = () => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  await open()
  return { url: `smtp://127.0.0.1:${port}`, taken, open, close, [Symbol.asyncDispose]: close }
}

export type MailSink = Awaited<ReturnType<typeof startMailSink>>
