import { ClosingCall } from './ClosingCall.tsx'
import { Faq } from './Faq.tsx'
import { Features } from './Features.tsx'
import { Hero } from './Hero.tsx'
import { Steps } from './Steps.tsx'
import { WhoSeesWhat } from './WhoSeesWhat.tsx'

/** Renders `/` (requirements §2). Prerendered without scripts. */
export function LandingPage() {
  return (
    <>
      <Hero />
      <Features />
      <Steps />
      <WhoSeesWhat />
      <Faq />
      <ClosingCall />
    </>
  )
}
