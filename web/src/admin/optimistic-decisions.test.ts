import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdminDispute, AdminVehicle } from '#contract/admin.ts'
import { applyDecisionToDisputes, applyDecisionToVehicles } from './optimistic-decisions.ts'

const due = { documents_due_at: '2026-11-30T05:00:00.000Z', documents_received_at: null }

const vehicle = (id: string, more: Partial<AdminVehicle> = {}): AdminVehicle => ({
  id,
  plate: 'ABC-123',
  make: 'Honda',
  model: 'Civic',
  registration_year: 2020,
  province: 'Ontario',
  status: 'pending_verification',
  paused: false,
  created_at: '2026-11-21T12:00:00.000Z',
  owner_email: `${id}@example.com`,
  dispute: null,
  ...more,
})

const side = (vehicle_id: string) => ({ vehicle_id }) as AdminDispute['incumbent']
const dispute = (id: string, incumbent: string, challenger: string, plate = 'ABC123') =>
  ({ id, plate, province: 'Ontario', incumbent: side(incumbent), challenger: side(challenger) }) as AdminDispute

const ids = (things: { id: string }[]) => things.map(({ id }) => id)

test('approving one side removes the other sides, however they wrote the plate, and nobody else', () => {
  const vehicles = [
    vehicle('challenger', { dispute: { ...due, role: 'challenger' } }),
    vehicle('holder', { plate: 'ABC123', status: 'verified', dispute: { ...due, role: 'incumbent' } }),
    vehicle('third', { plate: 'A-BC123' }),
    vehicle('rejected', { status: 'rejected' }),
    vehicle('elsewhere', { province: 'Quebec' }),
    vehicle('other', { plate: 'ABC124' }),
  ]
  const after = applyDecisionToVehicles(vehicles, { action: 'approve', vehicle: vehicles[0]! })
  assert.deepEqual(ids(after), ['challenger', 'rejected', 'elsewhere', 'other'])
  assert.deepEqual(after[0], { ...vehicles[0], status: 'verified', dispute: null })
  assert.deepEqual(after.slice(1), vehicles.slice(3))
})

test('rejecting changes one vehicle, and deleting removes one', () => {
  const vehicles = [vehicle('one', { dispute: { ...due, role: 'incumbent' } }), vehicle('two')]
  const rejected = applyDecisionToVehicles(vehicles, { action: 'reject', reason: 'No.', vehicle: vehicles[0]! })
  assert.deepEqual(rejected, [{ ...vehicles[0], status: 'rejected', dispute: null }, vehicles[1]])
  assert.deepEqual(ids(applyDecisionToVehicles(vehicles, { action: 'delete', vehicle: vehicles[0]! })), ['two'])
})

test('an approval ends every dispute over the plate, any other decision those of the vehicle', () => {
  const disputes = [dispute('a', 'holder', 'one'), dispute('b', 'holder', 'two'), dispute('c', 'x', 'y', 'XYZ1')]
  const winner = vehicle('one')
  assert.deepEqual(ids(applyDecisionToDisputes(disputes, { action: 'approve', vehicle: winner })), ['c'])
  assert.deepEqual(ids(applyDecisionToDisputes(disputes, { action: 'reject', reason: 'No.', vehicle: winner })), [
    'b',
    'c',
  ])
  assert.deepEqual(ids(applyDecisionToDisputes(disputes, { action: 'delete', vehicle: vehicle('holder') })), ['c'])
})
