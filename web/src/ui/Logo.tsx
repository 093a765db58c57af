import { PRODUCT } from '#contract/product.ts'

/** Renders the logo's symbol: a small plate with a note on it. */
function LogoMark() {
  return (
    <svg viewBox="0 0 48 32" aria-hidden="true" className="h-[min(2rem,10vw)] w-[min(3rem,15vw)] shrink-0">
      <rect x="1" y="1" width="46" height="30" rx="6" className="fill-[#123a2b]" />
      <rect x="3.5" y="3.5" width="41" height="25" rx="4" className="fill-[#fdfdf9]" />
      <circle cx="10" cy="8" r="1.5" className="fill-[#123a2b]" />
      <circle cx="38" cy="8" r="1.5" className="fill-[#123a2b]" />
      <path
        d="M13 12.5h22a2 2 0 0 1 2 2v6.5a2 2 0 0 1-2 2H21l-4.5 3.8V23H13a2 2 0 0 1-2-2v-6.5a2 2 0 0 1 2-2Z"
        className="fill-[#ffb31a]"
      />
      <path d="M15.5 16.3h17M15.5 19.5h10.5" className="stroke-[#123a2b]" strokeWidth="1.7" strokeLinecap="round" />
    </svg>
  )
}

/** Renders the symbol and the name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <LogoMark />
      <span
        translate="no"
        className="text-[min(1.25rem,6.25vw)] whitespace-nowrap leading-[1.4] font-extrabold tracking-tight"
      >
        {PRODUCT}
      </span>
    </span>
  )
}
