import { COLLISION_DUTIES, DUTIES_LOOKED_AT, type DutyBasis, dutiesFor } from '#contract/collision-duties.ts'
import { PROVINCES, type Province } from '#contract/provinces.ts'

// npm run --silent node -- server/src/cli/generate-collisions-doc.ts > docs/collisions.md

const BASIS: Record<DutyBasis, string> = {
  statute: 'the law itself, in part',
  report: 'others who report it',
  open: 'open: not established',
}

function formatRow(province: Province): string {
  const { statute, sections, law, basis, read, counsel } = COLLISION_DUTIES[province]
  const says = dutiesFor(province, 'en').join('<br>')
  return `| ${province} | [${statute.en}](${law}) | ${sections} | ${says} | ${BASIS[basis]} | ${read} | ${DUTIES_LOOKED_AT} | ${counsel} |`
}

/** Returns the text of `docs/collisions.md`, generated from the table in the contract. */
export const renderCollisionsDoc = (): string => `# Collisions: the duties by province

Generated from \`contract/src/collision-duties.ts\` by \`npm run --silent node -- server/src/cli/generate-collisions-doc.ts > docs/collisions.md\`; a test compares the two. The screen shows the same sentences ([0101](decisions/0101-collisions.md)).

**Not legal advice, and not yet read by a lawyer.** 'Rests on' says how far each row could be established on the day it was looked at: the law itself was opened for Manitoba only; elsewhere others report it, or it stays open what is to be done when the owner is absent. Where it is open the screen claims nothing and says to ask the local police. The links lead to where each law is published; none of these pages was opened unless 'Read' says so. The territories are not covered: vehicles are registered in provinces.

| Province | Law | Sections | What the screen says | Rests on | Read | Looked at | For counsel |
|---|---|---|---|---|---|---|---|
${PROVINCES.map(formatRow).join('\n')}

In every province the Criminal Code, R.S.C. 1985, c. C-46, s. 320.16 applies as well (stop, give name and address, help whoever is hurt), as quoted by wilsoncriminaldefence.com, looked at ${DUTIES_LOOKED_AT}.

## What the product leaves to counsel

- Whether a card of particulars that reaches the owner through PlateNote can be the 'notice in writing' or the 'particulars in writing' of any province. No text of the product says so, and each card says that it is not a police report.
- Whether the amounts of damage above which the police must be told belong on the screen. It says 'serious' instead: they change, and few people can judge them at the kerb.
- The card asks for no driver's licence number, which several provinces name: it is not needed to reach somebody, and whoever must give it gives it in person or to the police.
- 24 months for a card (decision 0101) follow the usual two years for claims; the periods of each province are not compared here.
`

if (import.meta.main) process.stdout.write(renderCollisionsDoc())
