import sharp from 'sharp'

const WIDTH = 1200
const HEIGHT = 800

/** Something painted over what is there: a colour as 0xrrggbb, and how much of it covers a point (0 to 1). */
type Shape = { colour: number; coverage: (x: number, y: number) => number }

const rect = (left: number, top: number, width: number, height: number, colour: number): Shape => ({
  colour,
  coverage: (x, y) => (x >= left && x < left + width && y >= top && y < top + height ? 1 : 0),
})

const ellipse = (cx: number, cy: number, rx: number, ry: number, colour: number): Shape => ({
  colour,
  coverage: (x, y) => (((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1 ? 1 : 0),
})

const disc = (cx: number, cy: number, radius: number, colour: number) => ellipse(cx, cy, radius, radius, colour)

const glow = (cx: number, cy: number, radius: number, colour: number): Shape => ({
  colour,
  coverage: (x, y) => Math.max(0, 1 - Math.hypot(x - cx, y - cy) / radius) ** 2,
})

/** Even-odd rule; the points one after the other as x, y. */
function polygon(points: number[], colour: number, strength = (_x: number) => 1): Shape {
  const corners = Array.from({ length: points.length / 2 }, (_, i) => [points[2 * i]!, points[2 * i + 1]!] as const)
  const covers = (x: number, y: number) => {
    let inside = false
    corners.forEach(([ax, ay], i) => {
      const [bx, by] = corners.at(i - 1)! // a polygon has corners
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
    })
    return inside ? strength(x) : 0
  }
  return { colour, coverage: covers }
}

/** A car seen from the side, 400 wide, from its rear end on the left; its wheels stand on `y`. */
function car(x: number, y: number, colour: number): Shape[] {
  const at = (points: number[]) => points.map((value, i) => value + (i % 2 === 0 ? x : y))
  // biome-ignore format: pairs
  const body = [0, -40, 2, -78, 20, -100, 58, -107, 112, -168, 140, -180, 275, -180, 305, -166, 346, -110, 388, -98, 400, -70, 400, -40]
  return [
    polygon(at(body), colour),
    polygon(at([80, -110, 124, -160, 145, -167, 195, -167, 195, -110]), 0x26343a),
    polygon(at([209, -110, 209, -167, 268, -167, 292, -154, 324, -110]), 0x26343a),
    ...[85, 315].flatMap((wheel) => [disc(x + wheel, y - 38, 40, 0x15191a), disc(x + wheel, y - 38, 19, 0x9aa5a6)]),
  ]
}

const NIGHT: Shape[] = [
  rect(0, 0, WIDTH, HEIGHT, 0x0c1722),
  { colour: 0x33485a, coverage: (_, y) => (y / HEIGHT) ** 2 },
  rect(0, 610, WIDTH, 190, 0x1a2227),
  ...[70, 180, 290].map((x) => rect(x, 190, 60, 80, x === 70 ? 0xf4d78a : 0x4a4a3c)),
  ...[70, 180, 290].map((x) => rect(x, 320, 60, 80, x === 290 ? 0xf4d78a : 0x4a4a3c)),
  polygon([595, 545, 1200, 455, 1200, 680, 595, 575], 0xfff3c0, (x) => 0.75 * (1 - (x - 595) / 605)),
  ...car(210, 640, 0x7c2f2c),
  glow(600, 562, 150, 0xffe9a0),
  disc(598, 562, 14, 0xfffbe0),
  ...[120, 420, 720, 1020].map((x) => rect(x, 726, 160, 8, 0xe8c25a)),
]

const DRIVEWAY: Shape[] = [
  rect(0, 0, WIDTH, HEIGHT, 0xbcd6df),
  rect(0, 600, WIDTH, 200, 0x7f8a83),
  polygon([70, 600, 70, 250, 330, 110, 590, 250, 590, 600], 0xd9c9ab),
  polygon([30, 265, 330, 85, 630, 265, 616, 287, 330, 115, 44, 287], 0x5c4a3c),
  rect(160, 360, 340, 240, 0xf2efe8),
  ...[420, 480, 540].map((y) => rect(160, y, 340, 6, 0xc9c4b8)),
  rect(965, 430, 30, 170, 0x5c4a3c),
  disc(980, 330, 120, 0x4c7a50),
  ...car(150, 650, 0x31566b),
  ...car(470, 735, 0xc8cdd0),
]

const FLAT_TYRE: Shape[] = [
  rect(0, 0, WIDTH, 620, 0x97a1a3),
  rect(0, 130, WIDTH, 340, 0x27543f),
  disc(615, 500, 320, 0x6d777a),
  rect(0, 610, WIDTH, 190, 0x5b6163),
  ellipse(630, 690, 400, 40, 0x3d4244),
  ellipse(615, 505, 275, 195, 0x171a1b),
  ellipse(615, 660, 315, 42, 0x171a1b),
  disc(615, 500, 165, 0xaab3b4),
  ...[0, 1, 2, 3, 4].map((spoke) => {
    const angle = (spoke * 2 * Math.PI) / 5
    return disc(615 + 100 * Math.cos(angle), 500 + 100 * Math.sin(angle), 36, 0x5b6163)
  }),
  disc(615, 500, 36, 0x5b6163),
]

const PICTURES = { night: NIGHT, driveway: DRIVEWAY, flat_tyre: FLAT_TYRE }

/** What somebody at the kerb took a picture of. */
export type PictureName = keyof typeof PICTURES

/** A scene as a phone would upload it, a JPEG. Painted point by point: the server's decoder of images reads no drawings. */
export function renderPicture(scene: PictureName): Promise<Buffer> {
  const pixels = new Uint8ClampedArray(WIDTH * HEIGHT * 3)
  for (const { colour, coverage } of PICTURES[scene]) {
    const channels = [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]
    for (let y = 0, at = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++, at += 3) {
        const cover = coverage(x, y)
        if (cover === 0) continue
        for (let i = 0; i < 3; i++) pixels[at + i] = pixels[at + i]! * (1 - cover) + channels[i]! * cover
      }
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .blur(0.8) // soft edges
    .jpeg({ quality: 90 })
    .toBuffer()
}
