import { runRollingRestarts } from '../../server/src/test/rolling-restarts.ts'
import { aim, note, quantile, type Scenario } from '../figures.ts'

export const rollingRestart: Scenario = {
  title: 'Rolling restart of two web processes',
  description:
    'In each round two web processes behind a proxy that asks for `/readyz` every 100 ms, and then a worker, are stopped with SIGTERM and started again one after the other, with `DRAIN_SECONDS=1`, while four people send, two read and eight have live streams open. Nobody repeats a request.',
  rounds: 3,
  async run(rounds, progress) {
    const result = await runRollingRestarts(rounds, (done) => progress(`${done} of ${rounds} rounds`))
    const { requests, failed, events, lostEvents, repeatedEvents, refusedStreams, handOvers, gapsMs, lateEmails } =
      result
    for (const what of failed.slice(0, 5)) progress(what)
    return [
      note('restarts of each process', rounds),
      note('requests', requests),
      aim('failed', failed.length, '0', failed.length === 0),
      note('live events', events),
      aim('lost', lostEvents, '0', lostEvents === 0),
      aim('sent twice', repeatedEvents, '0', repeatedEvents === 0),
      note('streams handed over', handOvers),
      aim('refused when they came back', refusedStreams, '0', refusedStreams === 0),
      aim('emails due and not sent a minute later', lateEmails, '0', lateEmails === 0),
      note('without a stream, half of the times / at most', `${quantile(gapsMs)} / ${quantile(gapsMs, 1)} ms`),
    ]
  },
}
