package server

import (
	"context"

	"servery/internal/server/wire"
	"servery/internal/visit"
)

// GetBalance is GET /user/balance.
func (s *Server) GetBalance(ctx context.Context, _ wire.GetBalanceRequestObject) (wire.GetBalanceResponseObject, error) {
	v, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.balances(ctx, v)
	return wire.GetBalance200JSONResponse{Balances: list}, err
}

func (s *Server) balances(ctx context.Context, v visit.Context) ([]wire.Balance, error) {
	statements, err := s.Bonuses.Statements(ctx, v.CustomerID)
	shown := make([]wire.Balance, len(statements))
	for i, account := range statements {
		b := wire.Balance{Currency: account.Currency, Balance: account.Balance, History: []wire.BonusMovement{}}
		for _, m := range account.Movements {
			b.History = append(b.History, wire.BonusMovement{
				At: m.At, Amount: m.Amount, Text: localizerOf(v).Message(m.Text()), OrderID: orNil(m.OrderID),
			})
		}
		shown[i] = b
	}
	return shown, err
}
