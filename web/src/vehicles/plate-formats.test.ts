import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPlate } from '#contract/plates.ts'
import { PROVINCES, type Province } from '#contract/provinces.ts'
import { checkPlateFormat, examplePlate } from './plate-formats.ts'

const usualPlates: [plate: string, province: Province][] = [
  ['ABC1234', 'Alberta'],
  ['ABC-1234', 'Alberta'],
  ['BXF123', 'Alberta'],
  ['AB123C', 'British Columbia'],
  ['123ABC', 'British Columbia'],
  ['NPR123', 'British Columbia'],
  ['ABC123', 'Manitoba'],
  ['JAB123', 'New Brunswick'],
  ['HAB123', 'Newfoundland and Labrador'],
  ['FAB123', 'Nova Scotia'],
  ['CABC123', 'Ontario'],
  ['ABO123', 'Ontario'], // a letter O where a letter belongs
  ['BF77832', 'Ontario'],
  ['E21NLT', 'Quebec'],
  ['123ABC', 'Quebec'],
  ['123ABC', 'Saskatchewan'],
]
for (const [plate, province] of usualPlates) {
  test(`${plate} is a usual plate in ${province}`, () => assert.equal(checkPlateFormat(plate, province), null))
}

const lookalikes: [plate: string, province: Province, meant: string][] = [
  ['ABCD12O', 'Ontario', 'ABCD 120'],
  ['ABCDIOO', 'Ontario', 'ABCD 100'],
  ['A0CD123', 'Ontario', 'AOCD 123'],
  ['ABC-I234', 'Alberta', 'ABC-1234'],
  ['E2INLT', 'Quebec', 'E21 NLT'],
  ['I23ABC', 'Saskatchewan', '123 ABC'],
]
for (const [plate, province, meant] of lookalikes) {
  test(`${plate} may be a mistyped ${meant} in ${province}`, () =>
    assert.deepEqual(checkPlateFormat(plate, province), { kind: 'lookalike', plate: meant }))
}

test('a plate in no usual format of its province gets an example', () => {
  assert.deepEqual(checkPlateFormat('ABC12', 'Ontario'), { kind: 'unusual', example: 'ABCD 123' })
  assert.deepEqual(checkPlateFormat('BOSS', 'Quebec'), { kind: 'unusual', example: 'A12 BCD' })
  assert.deepEqual(checkPlateFormat('ABCD123', 'Quebec'), { kind: 'unusual', example: 'A12 BCD' })
})

test('a province without a usual format gives no hints', () => {
  assert.equal(examplePlate('Prince Edward Island'), undefined)
  assert.equal(checkPlateFormat('A1', 'Prince Edward Island'), null)
})

test('a missing or invalid plate gets no hint', () => {
  for (const plate of ['', '-', 'ÉA1', 'ABCD12345']) assert.equal(checkPlateFormat(plate, 'Ontario'), null)
})

test('every example is a plate and gets no hint itself', () => {
  for (const province of PROVINCES) {
    const example = examplePlate(province)?.replace(' ', '')
    if (example === undefined) continue
    assert.ok(isPlate(example), example)
    assert.equal(checkPlateFormat(example, province), null)
  }
})

test('a proposed plate differs in lookalikes only, and gets no hint itself', () => {
  const plates = fc.stringMatching(/^[A-CIO01-3]{1,8}$/)
  const alike = (plate: string) => plate.replaceAll('O', '0').replaceAll('I', '1')
  fc.assert(
    fc.property(plates, fc.constantFrom(...PROVINCES), (plate, province) => {
      const hint = checkPlateFormat(plate, province)
      if (hint?.kind !== 'lookalike') return
      const meant = hint.plate.replace(/[ -]/g, '')
      assert.notEqual(meant, plate)
      assert.equal(alike(meant), alike(plate))
      assert.equal(checkPlateFormat(meant, province), null)
    }),
    { numRuns: 2_000, seed: 1 },
  )
})
