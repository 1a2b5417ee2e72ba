import { type Chance, makeChance } from './chance.ts';

/** Orchard & Vale, an estate portal: who works there, what is on offer, who looks for it. All numbers are Ofcom's for drama. */
export const business = 'Orchard & Vale';

/** The numbers people write to. */
export const senders = {
  sales: '+44 20 7946 0101',
  lettings: '+44 20 7946 0102',
  newHomes: '+44 161 496 0103',
};

export interface Agent {
  name: string;
  first: string;
  phone: string;
  branch: string;
  skills: string[];
}
const agent = (name: string, phone: string, branch: string, skills: string[]): Agent => ({
  name,
  first: name.split(' ')[0]!,
  phone,
  branch,
  skills,
});
export const agents = [
  agent('Ada Whitcombe', '+44 7700 900201', 'Islington', ['sales']),
  agent('Bashir Rahman', '+44 7700 900202', 'Islington', ['lettings']),
  agent('Carys Pritchard', '+44 7700 900203', 'Manchester', ['sales', 'new homes', 'welsh']),
  agent('Dominic Achebe', '+44 7700 900204', 'Richmond', ['lettings', 'sales']),
  agent('Elena Kowalska', '+44 7700 900205', 'Richmond', ['valuations', 'polish']),
] as const;

export interface Listing {
  reference: string;
  name: string;
  price: string;
  agent: Agent;
  sender: string;
}
const listing = (reference: string, name: string, price: string, agent: Agent, sender: string): Listing => ({
  reference,
  name,
  price,
  agent,
  sender,
});
const [ada, bashir, carys, dominic, elena] = agents;
export const listings = [
  listing('OV-1041', '12 Mill Lane, Islington N1', '£845,000', ada, senders.sales),
  listing('OV-1058', '3 Cloudesley Mews, Barnsbury N1', '£1,250,000', ada, senders.sales),
  listing('OV-1063', 'Flat 9, Colebrooke Row, Angel N1', '£625,000', dominic, senders.sales),
  listing('OV-1077', 'The Old Dairy, Petersham TW10', '£2,100,000', elena, senders.sales),
  listing('OV-2007', 'Garden flat, Almeida Street N1', '£2,300 a month', bashir, senders.lettings),
  listing('OV-2012', '41 Kew Foot Road, Richmond TW9', '£3,150 a month', dominic, senders.lettings),
  listing('OV-2019', 'Studio, Upper Street N1', '£1,450 a month', bashir, senders.lettings),
  listing('OV-2023', '2 Sheen Lane, Richmond TW10', '£2,750 a month', dominic, senders.lettings),
  listing('OV-3001', 'Plot 4, Vale Orchard, Didsbury M20', '£389,950', carys, senders.newHomes),
  listing('OV-3004', 'Plot 11, Vale Orchard, Didsbury M20', '£412,500', carys, senders.newHomes),
  listing('OV-3010', 'Canal Wharf apartments, Ancoats M4', '£265,000', carys, senders.newHomes),
  listing('OV-3015', 'The Weaver Building, Castlefield M3', '£310,000', carys, senders.newHomes),
] as const;

const firstNames = (
  'Amelia Oliver Isla George Ava Noah Mia Arthur Ivy Leo Freya Oscar Lily Harry Zara Mohammed Priya Arjun Chloe Ethan ' +
  'Grace Owen Siân Rhys Eilidh Callum Niamh Conor Fatima Yusuf Kofi Abena Mei Haruto Zoë Łukasz Sofia Mateo Hannah Jude'
).split(' ');
const lastNames = (
  'Smith Patel Jones Williams Taylor Khan Brown Davies Evans Thomas Johnson Roberts Walker Wright Robinson Thompson White ' +
  "Hughes Edwards Green Lewis Wood Harris Martin Clarke Okafor Murphy O'Brien Nowak Ferreira Chen Singh Campbell Stewart Reid"
).split(' ');

export interface Person {
  name: string;
  first: string;
  phone: string;
}

/** Drama numbers that are neither ours nor an agent's, the mobiles first. */
const blocks = ['7700 900', '20 7946 0', '161 496 0', '113 496 0', '121 496 0'];
const person = (chance: Chance, phone: string): Person => {
  const first = chance.of(firstNames);
  return { first, name: `${first} ${chance.of(lastNames)}`, phone };
};

/** Everybody who might write or be written to; the same people in every run. */
export function makePeople(count: number): Person[] {
  const chance = makeChance(20_261_115);
  return Array.from({ length: count }, (_, index) => {
    const block = blocks[Math.floor(index / 700)]!;
    return person(chance, `+44 ${block}${300 + (index % 700)}`);
  });
}

/** A phone that behaves as the sandbox's table says of this ending; `which` tells several of them apart. */
export function phoneThat(ending: number, which = 0): string {
  return `+44 7700 9${which}${ending}`;
}
