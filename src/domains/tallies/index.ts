export { addTallies, readTallies, type TallyStep } from './tallies.ts';
