const TEMPORARY = 0x01
const FIRST_RESTART = 0xd0
/** The markers of restarts and this one follow each other. */
const START = 0xd8
const END = 0xd9
const SCAN = 0xda

/**
 * Counts the scans of a JPEG file (ITU T.81, B.1.1.3 and B.2.1); 0 for anything else. A progressive JPEG may repeat its
 * picture in thousands of scans of a few bytes each, and decoding takes the time of all of them.
 */
export function countJpegScans(file: Buffer): number {
  if (file[0] !== 0xff || file[1] !== START) return 0
  let scans = 0
  for (let at = file.indexOf(0xff, 2); at >= 0; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1]
    if (marker === undefined || marker === END) break
    if (marker === 0xff) {
      at += 1 // fill byte
      continue
    }
    // what follows has no length: a 255 among the coded data, or a marker of two bytes
    const alone = marker === 0 || marker === TEMPORARY || (marker >= FIRST_RESTART && marker <= START)
    if (alone || at + 4 > file.length) {
      at += 2
      continue
    }
    if (marker === SCAN) scans++
    at += 2 + file.readUInt16BE(at + 2)
  }
  return scans
}
