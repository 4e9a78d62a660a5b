/** Colors of a thing: its own, a darker and a lighter one, and an accent. */
export interface Paint {
  main: string
  dark: string
  light: string
  accent: string
}

type Draw = (paint: Paint) => string

const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
const line = (d: string, color: string, width = 4) =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
const circle = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`
const box = (x: number, y: number, width: number, height: number, fill: string, r = 6) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${r}" fill="${fill}"/>`
const buttons = (x: number, ys: number[], fill: string) => ys.map((y) => circle(x, y, 6, fill)).join('')

/**
 * The outlines of things, around 0,0 and about 360 wide and high. `{cloth}` stands for the fill that carries the pattern
 * of the fabric.
 */
export const shapes: Record<string, Draw> = {
  coat: ({ dark, light }) =>
    path(
      'M-62-172 L62-172 L150-118 L172 92 L122 98 L108-40 L118 178 L-118 178 L-108-40 L-122 98 L-172 92 L-150-118 Z',
      '{cloth}',
    ) +
    path('M-62-172 L0-60 L62-172 L84-160 L22-10 L0-40 L-22-10 L-84-160 Z', dark) +
    line('M0-40 L0 176', dark) +
    box(-92, 60, 56, 12, dark) +
    box(36, 60, 56, 12, dark) +
    buttons(-16, [0, 50, 100], light) +
    buttons(16, [0, 50, 100], light),
  jacket: ({ dark, light, accent }) =>
    path(
      'M-58-140 L58-140 L152-96 L176 88 L122 96 L108-24 L108 128 L-108 128 L-108-24 L-122 96 L-176 88 L-152-96 Z',
      '{cloth}',
    ) +
    path('M-58-140 L0-96 L58-140 L46-104 L0-66 L-46-104 Z', dark) +
    line('M0-66 L0 128 M-108 104 L108 104', dark, 5) +
    [-84, 28].map((x) => box(x, -44, 56, 52, light, 4) + box(x, -44, 56, 16, dark, 4)).join('') +
    buttons(0, [-30, 10, 50, 90], accent),
  shirt: ({ dark, light }) =>
    path(
      'M-46-150 L46-150 L142-110 L178-6 L126 18 L104-36 L104 160 Q0 176 -104 160 L-104-36 L-126 18 L-178-6 L-142-110 Z',
      '{cloth}',
    ) +
    path('M-46-150 L0-112 L46-150 L54-116 L0-82 L-54-116 Z', dark) +
    line('M0-100 L0 166', dark, 3) +
    box(30, -40, 50, 56, dark, 4) +
    box(34, -36, 42, 48, '{cloth}', 3) +
    buttons(0, [-54, -10, 34, 78, 122], light),
  blouse: ({ dark, light }) =>
    path(
      'M-40-150 Q0-126 40-150 L120-120 Q190-40 168 70 L118 74 Q126 0 96-44 Q84 60 116 160 L-116 160 Q-84 60 -96-44 Q-126 0 -118 74 L-168 70 Q-190-40 -120-120 Z',
      '{cloth}',
    ) +
    path('M-8-132 L-46-30 L-22-34 L-4-70 L14-28 L40-34 L8-132 Z', light) +
    line('M-168 56 L-118 60 M168 56 L118 60 M0-66 L0 158', dark, 4),
  sweater: ({ dark }) =>
    path(
      'M-54-146 Q0-116 54-146 L140-108 L184 110 L132 122 L106 4 L106 150 L-106 150 L-106 4 L-132 122 L-184 110 L-140-108 Z',
      '{cloth}',
    ) +
    line('M-54-146 Q0-112 54-146', dark, 16) +
    path(
      'M-106 130 L106 130 L106 158 L-106 158 Z M-184 96 L-130 108 L-132 128 L-188 116 Z M184 96 L130 108 L132 128 L188 116 Z',
      dark,
    ) +
    [-66, 0, 66].map((x) => line(`M${x}-84 q22 18 0 36 t0 36 t0 36 t0 36 t0 36`, dark, 7)).join(''),
  dress: ({ dark, light }) =>
    path(
      'M-54-178 L-28-150 Q0-132 28-150 L54-178 L96-150 L122-74 L80-58 L64-86 L58-12 L140 164 Q0 200 -140 164 L-58-12 L-64-86 L-80-58 L-122-74 L-96-150 Z',
      '{cloth}',
    ) +
    path('M-60-22 L60-22 L62 6 L-62 6 Z', dark) +
    line('M-34 14 L-80 168 M0 14 L0 180 M34 14 L80 168', dark, 3) +
    buttons(0, [-116, -84, -52], light),
  skirt: ({ dark }) =>
    path('M-84-150 L84-150 L158 156 Q0 186 -158 156 Z', '{cloth}') +
    path('M-88-158 L88-158 L94-122 L-94-122 Z', dark) +
    line('M-56-118 L-104 162 M-20-118 L-36 170 M20-118 L36 170 M56-118 L104 162', dark, 4),
  trousers: ({ dark, accent }) =>
    path('M-92-176 L92-176 L116 174 L26 178 L0-46 L-26 178 L-116 174 Z', '{cloth}') +
    path('M-94-182 L94-182 L98-150 L-98-150 Z', dark) +
    line('M0-150 L0-46 M-92-140 Q-60-110 -50-150 M92-140 Q60-110 50-150', dark, 4) +
    line('M-62-90 L-70 172 M62-90 L70 172', dark, 2) +
    circle(0, -164, 8, accent),
  belt: ({ main, dark, light, accent }) =>
    `<g fill="none" stroke-linecap="round">` +
    `<ellipse rx="150" ry="104" stroke="${dark}" stroke-width="46"/><ellipse rx="150" ry="104" stroke="${main}" stroke-width="38"/>` +
    `<ellipse rx="150" ry="104" stroke="${light}" stroke-width="2" stroke-dasharray="8 8"/>` +
    `<path d="M40 100 L176 122" stroke="${main}" stroke-width="38"/></g>` +
    `<rect x="-46" y="68" width="78" height="72" rx="10" fill="none" stroke="${accent}" stroke-width="12"/>` +
    line('M-8 104 L60 104', accent, 9) +
    [96, 122, 148].map((x) => circle(x, 108 + (x - 96) / 6, 5, dark)).join(''),
  boots: ({ main, dark, light }) =>
    [-128, 22]
      .map(
        (x) =>
          `<g transform="translate(${x} 0)">` +
          path('M0-150 L84-150 L80 10 Q140 40 142 96 L142 118 L0 118 L4 40 Z', main) +
          path('M0 118 L144 118 L144 138 L64 138 L60 128 L44 128 L44 148 L0 148 Z', dark) +
          path('M-4-158 L88-158 L88-130 L-4-130 Z', light) +
          line('M52-120 L84-100 M52-92 L84-72 M54-64 L84-44 M56-36 L86-14 M10-128 L12 112', dark, 5) +
          '</g>',
      )
      .join(''),
  scarf: ({ dark, light }) =>
    path('M-150-120 Q-20-176 140-116 Q176-60 120-20 Q10 24 -96-14 Q-176-58 -150-120 Z', '{cloth}') +
    path('M40-20 L120-34 L152 176 L64 186 Z M-66-14 L10-4 L-22 164 L-104 150 Z', '{cloth}') +
    line('M-118-96 Q0-140 116-92 M-96-50 Q10-8 120-58', dark, 6) +
    line(
      'M64 186 L60 204 M86 184 L84 204 M108 181 L108 202 M130 178 L134 198 M-104 150 L-110 168 M-78 154 L-82 172 M-50 160 L-52 178',
      light,
      5,
    ),
  bag: ({ main, dark, accent }) =>
    line('M-74-40 C-74-176 74-176 74-40', dark, 16) +
    path('M-140-52 L140-52 L162 136 Q0 160 -162 136 Z', main) +
    path('M-142-56 L142-56 L126 34 Q0 70 -126 34 Z', dark) +
    box(-22, 20, 44, 40, accent),
  camera: ({ main, dark, light, accent }) =>
    path('M-172-78 L-60-78 L-42-124 L42-124 L60-78 L172-78 L172 104 L-172 104 Z', light) +
    box(-172, -40, 344, 118, dark, 4) +
    box(-150, -100, 52, 24, accent) +
    box(92, -96, 60, 20, accent) +
    circle(0, 16, 88, main) +
    circle(0, 16, 76, '#1c1c20') +
    circle(0, 16, 54, '#34343e') +
    circle(0, 16, 36, '#14141c') +
    circle(-16, 0, 12, '#7f8ea8') +
    box(-24, -112, 48, 26, '#2a3038', 4),
  twinlens: ({ main, dark, light, accent }) =>
    path('M-92-168 L92-168 L84-118 L-84-118 Z', dark) +
    box(-98, -122, 196, 288, main, 10) +
    box(-84, -108, 168, 262, dark, 8) +
    [-44, 72]
      .map((y) => circle(0, y, 62, light) + circle(0, y, 48, '#1c1c20') + circle(-12, y - 14, 10, '#8d9ab0'))
      .join('') +
    circle(112, 18, 24, accent) +
    box(-120, -70, 22, 60, accent),
  foldingcamera: ({ main, dark, light, accent }) =>
    path('M-110-150 L110-150 L150 40 L-150 40 Z', main) +
    path('M-150 40 L150 40 L176 150 L-176 150 Z', light) +
    path('M-96-136 L96-136 L112-60 L-112-60 Z', dark) +
    circle(0, -4, 30, '#1c1c20') +
    circle(-8, -12, 7, '#8d9ab0') +
    box(-150, 86, 300, 20, dark, 3) +
    box(90, -24, 34, 22, accent),
  book: ({ main, dark, light, accent }) =>
    path('M-118-166 L126-166 L126 166 L-118 166 Z', dark) +
    path('M-104-158 L136-158 L136 176 L-104 176 Z', light) +
    path('M-118-166 L116-166 Q126-166 126-156 L126 158 L-118 158 Z', main) +
    path('M-118-166 L-84-166 L-84 158 L-118 158 Z', dark) +
    `<rect x="-62" y="-132" width="164" height="258" fill="none" stroke="${accent}" stroke-width="5"/>` +
    box(-34, -100, 108, 16, accent, 2) +
    box(-20, -72, 80, 10, accent, 2) +
    '{emblem}' +
    box(-14, 94, 68, 10, accent, 2),
  lamp: ({ main, dark, accent }) =>
    path('M-96-36 L-54-164 L54-164 L96-36 Z', main) +
    path('M-14-36 L14-36 L14 110 L-14 110 Z', accent) +
    path('M-92 150 Q-80 106 0 106 Q80 106 92 150 Z', accent) +
    line('M52-36 L52 16', dark, 4) +
    circle(52, 20, 7, dark),
  radio: ({ main, dark, light, accent }) =>
    path('M-166 120 L-166-20 Q-166-124 0-124 Q166-124 166-20 L166 120 Z', main) +
    path('M-128 86 L-128-10 Q-128-84 -20-84 L-20 86 Z', dark) +
    [-108, -84, -60, -36].map((x) => line(`M${x}-40 L${x} 80`, light, 6)).join('') +
    circle(76, -22, 48, light) +
    line('M76-22 L104-48', dark, 5) +
    [44, 108].map((x) => circle(x, 70, 20, accent)).join(''),
  jug: ({ main, dark, light }) =>
    line('M86-84 C190-80 180 70 92 66', dark, 24) +
    path(
      'M-60-164 L70-164 Q60-120 64-96 Q124-40 112 60 Q104 150 60 164 L-60 164 Q-104 150 -112 60 Q-124-40 -64-96 Q-64-120 -84-150 Z',
      main,
    ) +
    path('M-110 20 Q0 50 112 20 L112 56 Q0 88 -112 56 Z', light),
  clock: ({ main, dark, light, accent }) =>
    path('M-168 130 Q-150 40 -92 10 Q-100-140 0-144 Q100-140 92 10 Q150 40 168 130 Z', main) +
    box(-176, 126, 352, 28, dark, 4) +
    circle(0, -30, 82, accent) +
    circle(0, -30, 72, light) +
    line('M0-30 L0-82 M0-30 L36-12', dark, 6),
  cup: ({ main, dark, light, accent }) =>
    `<ellipse cx="0" cy="112" rx="176" ry="42" fill="${light}"/><ellipse cx="0" cy="106" rx="104" ry="22" fill="${dark}"/>` +
    line('M96-60 C186-70 176 50 80 44', light, 18) +
    path('M-112-92 L112-92 Q110 40 48 100 L-48 100 Q-110 40 -112-92 Z', light) +
    path('M-110-60 L110-60 Q108-40 104-24 L-104-24 Q-108-40 -110-60 Z', main) +
    `<ellipse cx="0" cy="-92" rx="112" ry="24" fill="${accent}"/>`,
  glasses: ({ main, dark, light }) =>
    line('M-160-30 Q-176-70 -120-96 M160-30 Q176-70 120-96 M-34-18 Q0-46 34-18', main, 14) +
    [-94, 94]
      .map(
        (x) =>
          `<ellipse cx="${x}" cy="6" rx="72" ry="62" fill="${main}"/><ellipse cx="${x}" cy="6" rx="56" ry="46" fill="${dark}"/>${line(`M${x - 26}-10 L${x - 4}-30`, light, 8)}`,
      )
      .join(''),
  postcard: ({ main, dark, light, accent }) =>
    box(-176, -118, 352, 236, light, 4) +
    box(-160, -102, 320, 204, main, 2) +
    path('M-160 60 L-70-30 L-10 30 L60-60 L160 40 L160 102 L-160 102 Z', dark) +
    circle(96, -58, 30, accent),
  typewriter: ({ main, dark, light, accent }) =>
    box(-96, -170, 192, 90, light, 2) +
    box(-170, -98, 340, 34, dark, 14) +
    path('M-140-64 L140-64 L172 130 L-172 130 Z', main) +
    [0, 1, 2]
      .map((row) =>
        Array.from({ length: 8 }, (_, key) =>
          circle(-112 + key * 32 + row * 4, 12 + row * 36, 12, row === 1 ? accent : light),
        ).join(''),
      )
      .join('') +
    box(-130, -50, 260, 30, dark, 4),
  box: ({ main, dark, light, accent }) =>
    path('M-150-40 L0-104 L150-40 L150 110 L0 166 L-150 110 Z', main) +
    path('M-150-40 L0 22 L0 166 L-150 110 Z', dark) +
    path('M-150-40 L0-104 L150-40 L0 22 Z', light) +
    path('M-26-94 L26-94 L124-28 L98-18 L-44-86 Z', accent),
}

/** Which shape a title has: the first word found, so the particular ones come first. */
export const shapeWords: readonly [words: RegExp, shape: string][] = [
  // First, since many a book comes with its jacket.
  [/hardcover|slipcase|\bbook\b|penguin|modern library|everyman|folio/i, 'book'],
  [/overcoat|trench|\bcoat|parka/i, 'coat'],
  [/jacket|blazer|vest\b|jacke/i, 'jacket'],
  [/blouse|\btop\b|bluse/i, 'blouse'],
  [/sweater|cardigan|pullover|jumper/i, 'sweater'],
  [/shirt|hemd/i, 'shirt'],
  [/dress\b|gown|kleid/i, 'dress'],
  [/skirt|rock\b/i, 'skirt'],
  [/trousers|jeans|pants|hose\b/i, 'trousers'],
  [/\bbelt/i, 'belt'],
  [/boots|shoes|loafers|sneakers|schuh|stiefel/i, 'boots'],
  [/scarf|bandana|shawl|\btie\b/i, 'scarf'],
  [/\bbag\b|tote|purse|satchel|tasche/i, 'bag'],
  [/rolleiflex|mat-124|twin.lens/i, 'twinlens'],
  [/polaroid|sx-70|retina|folding/i, 'foldingcamera'],
  [/camera|\dmm|nikon|canon|pentax|leica|kamera/i, 'camera'],
  [/lamp|lantern|lampe/i, 'lamp'],
  [/radio|player/i, 'radio'],
  [/\bjug|vase|pottery|stoneware|pitcher|teapot/i, 'jug'],
  [/clock|barometer|uhr\b/i, 'clock'],
  [/tea set|cup|saucer|plate|mug/i, 'cup'],
  [/sunglasses|glasses|spectacles/i, 'glasses'],
  [/typewriter/i, 'typewriter'],
  [/postcard|print|poster|negatives|herbarium|sign\b|map\b/i, 'postcard'],
  [/ by |press/i, 'book'],
]
