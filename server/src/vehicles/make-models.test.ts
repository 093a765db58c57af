import assert from 'node:assert/strict'
import { test } from 'node:test'
import catalogue from './make-models.json' with { type: 'json' }

const OTHER = 'Other'
const MAX_NAME_LENGTH_CHARACTERS = 40

const models: Record<string, string[]> = catalogue
const makes = Object.keys(models)
const realMakes = makes.filter((make) => make !== OTHER)

/** Sorts as people expect: numbers by value (2 before 10), without case and accents (Škoda between Scion and smart). */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare

/** Two names with the same key look like one vehicle to a person: "S-10" and "s10". */
const lookAlikeKey = (name: string): string => name.toLowerCase().replace(/[\s-]/g, '')

/** Finds the names that repeat an earlier one. */
function findRepeated(names: string[]): string[] {
  const keys = names.map(lookAlikeKey)
  return names.filter((_, index) => keys.indexOf(keys[index] ?? '') !== index)
}

test('at least two hundred makes are listed, each with a model other than "Other"', () => {
  assert.ok(realMakes.length >= 200, `only ${realMakes.length} makes`)
  assert.deepEqual(
    realMakes.filter((make) => (models[make] ?? []).length < 2),
    [],
  )
})

test('"Other" is the last make and the last model of every make, and is nowhere else', () => {
  assert.equal(makes.at(-1), OTHER)
  assert.deepEqual(models[OTHER], [OTHER])
  for (const make of makes) {
    const names = models[make] ?? []
    assert.equal(names.indexOf(OTHER), names.length - 1, make)
  }
})

test('makes and models are sorted as people expect', () => {
  assert.deepEqual(realMakes, realMakes.toSorted(byName))
  for (const make of realMakes) {
    const names = (models[make] ?? []).slice(0, -1)
    assert.deepEqual(names, names.toSorted(byName), make)
  }
})

test('no make is listed twice, and no model twice under its make', () => {
  assert.deepEqual(findRepeated(makes), [])
  for (const make of makes) assert.deepEqual(findRepeated(models[make] ?? []), [], make)
})

test('every name is short, trimmed, single-spaced and in Unicode form NFC', () => {
  for (const name of [...makes, ...Object.values(models).flat()]) {
    assert.notEqual(name, '')
    assert.ok(name.length <= MAX_NAME_LENGTH_CHARACTERS, name)
    assert.equal(name, name.trim().replace(/\s+/g, ' '))
    assert.equal(name, name.normalize('NFC'))
  }
})

const wellKnown: [make: string, model: string][] = [
  ['Acura', 'CSX'],
  ['Acura', '1.6 EL'],
  ['Asüna', 'Sunrunner'],
  ['BMW', '3 Series'],
  ['BMW', 'R 1250 GS'],
  ['Buick', 'Allure'],
  ['Chevrolet', 'Orlando'],
  ['Dodge', 'Grand Caravan'],
  ['Dodge', 'SX 2.0'],
  ['Ford', 'F-150'],
  ['Harley-Davidson', 'Road King'],
  ['Honda', 'Civic'],
  ['Hyundai', 'Pony'],
  ['Jeep', 'TJ'],
  ['Kia', 'Rondo'],
  ['Lada', 'Niva'],
  ['Mazda', 'Mazda3'],
  ['Mercedes-Benz', 'B-Class'],
  ['Nissan', 'Micra'],
  ['Nissan', 'X-Trail'],
  ['Passport', 'Optima'],
  ['Pontiac', 'Firefly'],
  ['Pontiac', 'Pursuit'],
  ['Ram', '1500'],
  ['Škoda', '120'],
  ['Suzuki', 'Swift+'],
  ['Tesla', 'Model 3'],
  ['Toyota', 'Corolla'],
  ['Triumph', 'TR7'],
  ['Triumph', 'Speed Triple'],
  ['Volkswagen', 'City Golf'],
]

const recent: [make: string, model: string][] = [
  ['Acura', 'ADX'],
  ['Buick', 'Envista'],
  ['BYD', 'Seal'],
  ['Cadillac', 'Vistiq'],
  ['Chevrolet', 'Equinox EV'],
  ['Dodge', 'Charger Daytona'],
  ['Ford', 'Mustang GTD'],
  ['Honda', 'Prologue'],
  ['Hyundai', 'IONIQ 9'],
  ['Kia', 'EV5'],
  ['Kia', 'PV5'],
  ['Lexus', 'TX 350'],
  ['Lotus', 'Eletre'],
  ['Mazda', 'CX-70'],
  ['Polestar', '4'],
  ['Subaru', 'Trailseeker'],
  ['Tesla', 'Cybertruck'],
  ['Toyota', 'Crown Signia'],
  ['Volkswagen', 'ID. Buzz'],
  ['Volvo', 'EX90'],
]

const trucks: [make: string, model: string][] = [
  ['Ford', 'F-650'],
  ['Freightliner', 'Cascadia'],
  ['Hino', 'L7'],
  ['International', 'LT'],
  ['Isuzu', 'NPR-HD'],
  ['Kenworth', 'T680'],
  ['Lion', 'Lion6'],
  ['Mack', 'Anthem'],
  ['Mitsubishi Fuso', 'Canter'],
  ['Peterbilt', '579'],
  ['Volvo', 'VNL'],
  ['Western Star', '49X'],
]

const busesAndCoaches: [make: string, model: string][] = [
  ['Alexander Dennis', 'Enviro500'],
  ['Blue Bird', 'Vision'],
  ['BYD', 'K9M'],
  ['Girardin', 'MB-II'],
  ['IC Bus', 'CE'],
  ['Lion', 'LionC'],
  ['MCI', 'J4500'],
  ['Micro Bird', 'G5'],
  ['New Flyer', 'Xcelsior'],
  ['Nova Bus', 'LFS'],
  ['Orion', 'VII'],
  ['Prevost', 'H3-45'],
  ['Thomas Built', 'Saf-T-Liner C2'],
  ['Vicinity', 'Classic'],
]

const motorhomes: [make: string, model: string][] = [
  ['Airstream', 'Interstate'],
  ['Coachmen', 'Leprechaun'],
  ['Fleetwood', 'Bounder'],
  ['Forest River', 'Sunseeker'],
  ['Jayco', 'Redhawk'],
  ['Leisure Travel Vans', 'Unity'],
  ['Newmar', 'Dutch Star'],
  ['Pleasure-Way', 'Plateau'],
  ['Roadtrek', '190 Popular'],
  ['Safari Condo', 'Transit XL Flex'],
  ['Thor Motor Coach', 'Four Winds'],
  ['Tiffin', 'Phaeton'],
  ['Triple E', 'Regency'],
  ['Winnebago', 'Travato'],
]

const listed: [vehicles: string, [make: string, model: string][]][] = [
  ['vehicles common on Canadian roads are listed, including those sold only in Canada', wellKnown],
  ['vehicles that were new in Canada from 2024 to 2026 are listed', recent],
  ['trucks common on Canadian roads are listed', trucks],
  ['buses and coaches common on Canadian roads are listed', busesAndCoaches],
  ['motorhomes common on Canadian roads are listed, including those built in Canada', motorhomes],
]

for (const [name, vehicles] of listed) {
  test(name, () => {
    const missing = vehicles.filter(([make, model]) => !models[make]?.includes(model))
    assert.deepEqual(missing, [])
  })
}
