import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlate } from '#contract/plates.ts'
import { PROVINCES, type Province } from '#contract/provinces.ts'
import { checkPlateFormat } from './plate-formats.ts'

const usualPlates: Partial<Record<Province, string[]>> = {
  Alberta: ['ABC1234', 'ABC-1234', 'BXF123'],
  'British Columbia': ['AB123C', '123ABC', 'NPR123'],
  Ontario: ['CABC123', 'ABO123', 'BF77832'], // a letter O where a letter belongs
  Quebec: ['E21NLT', '123ABC'],
}
test('a usual plate of its province gets no hint', () => {
  for (const province of PROVINCES)
    for (const plate of usualPlates[province] ?? []) assert.equal(checkPlateFormat(plate, province), null, plate)
})

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
  assert.equal(checkPlateFormat('A1', 'Prince Edward Island'), null)
})

test('a missing or invalid plate gets no hint', () => {
  for (const plate of ['', '-', 'ÉA1', 'ABCD12345']) assert.equal(checkPlateFormat(plate, 'Ontario'), null)
})

test('every example is a plate and gets no hint itself', () => {
  for (const province of PROVINCES) {
    const hint = checkPlateFormat('A', province)
    if (hint?.kind !== 'unusual') continue
    const example = hint.example.replace(' ', '')
    assert.ok(isPlate(example), example)
    assert.equal(checkPlateFormat(example, province), null)
  }
})
