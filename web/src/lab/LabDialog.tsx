import type {ReactNode} from 'react';
import {ModalSheet} from '../app/shell/ModalSheet.tsx';
import './lab-dialog.css';

export function LabDialog(props: {label: string; children: ReactNode; onClose: () => void}) {
  return <ModalSheet className="lab-dialog" {...props} />;
}
