import type { ParticularName } from './particulars.ts'
import { kindsOf } from './title-kind.ts'

// Apart from the table of particulars, which every page loads: the words of kinds are long.

/** The particulars of each kind of thing (kinds.ts). A kind without a line has those of the closest wider kind. */
export const ofKinds: readonly [kinds: string, names: string][] = [
  ['clothing', 'pit_to_pit shoulders sleeve garment_length'],
  ['camisole, crop top, vest, bodysuit, tunic', 'pit_to_pit garment_length'],
  ['dress, jumpsuit, onesie, robe', 'pit_to_pit waist hips sleeve garment_length'],
  ['overalls', 'pit_to_pit waist hips inseam leg_opening'],
  ['skirt', 'waist hips garment_length'],
  ['bottoms, pants', 'waist hips rise inseam leg_opening'],
  ['suit', 'pit_to_pit shoulders sleeve garment_length waist inseam'],
  ['blazer', 'pit_to_pit shoulders sleeve garment_length'],
  ['swimwear, underwear, lingerie', 'pit_to_pit waist hips'],
  ['shoes', 'insole outsole_width heel_height'],
  ['boots', 'insole outsole_width heel_height shaft_height'],
  ['bag', 'width height depth strap_drop serial_number'],
  ['wallet', 'width height depth'],
  ['accessory, worn', 'length width'],
  ['hat', 'circumference height'],
  ['sunglasses', 'width height model'],
  ['jewelry', 'length width metal metal_purity main_stone mark'],
  ['ring, earrings, brooch', 'width height metal metal_purity main_stone mark'],
  ['watch', 'case_size lug_width movement model reference_number serial_number'],
  ['electronics, gaming', 'model serial_number year_made'],
  ['camera gear, camera', 'model serial_number year_made'],
  ['digital camera, camcorder', 'model serial_number shutter_count'],
  ['lens', 'mount filter_size serial_number'],
  ['book, magazine, comic', 'author publisher publication_year edition printing dust_jacket signed_by'],
  ['media, movie', 'release_year catalog_number edition signed_by'],
  ['record, cd, cassette', 'artist record_label catalog_number release_year record_grading sleeve_grading signed_by'],
  ['goods, home, decor, furniture, craft, office', 'width depth height'],
  ['chair', 'width depth height seat_height'],
  ['rug, bedding, quilt, blanket, table linens, tablecloth, towel, fabric, curtains', 'length width'],
  ['pottery, glass art, vase, dinnerware, serveware, drinkware, cookware, silver', 'height diameter mark'],
  ['art, print, poster, photograph', 'width height artist technique year_made edition_number signed_by'],
  ['collectible, toy, autograph', 'width height year_made signed_by'],
  ['trading card', 'set card_number year_made grade certification_number signed_by'],
  ['coin, stamp', 'diameter year_made grade certification_number'],
  ['instrument', 'model serial_number year_made'],
  ['sport, outdoors, tool', 'length model serial_number'],
  ['bicycle', 'frame_size model serial_number year_made'],
]
const namesOfKind = new Map(
  ofKinds.flatMap(([kinds, names]) => kinds.split(', ').map((kind) => [kind, names.split(' ') as ParticularName[]])),
)

/** Returns the particulars that a thing of this kind has, by the words of its title and category. */
export function particularsOf(item: { title: string; category?: string }): readonly ParticularName[] {
  const kind = kindsOf(item).find((one) => namesOfKind.has(one))
  return namesOfKind.get(kind ?? 'goods')!
}
